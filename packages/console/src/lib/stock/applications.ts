import { APP_ENV_PROBLEMS, type ApplicationItem, t } from '@switchroom/contract'
import {
  accounts,
  appEnv,
  applications,
  msTeamsTenants,
  phoneNumbers,
  type Reply,
  voipCarriers,
} from '../endpoints'
import { defined } from '../list-search'
import { PartlySaved } from '../partly-saved'
import { lookUp, namesOf, pageOf, rowsOf } from './lists'
import { refuseInUse, usage } from './refuse'
import { type Given, on, type Server } from './server'

type List = typeof applications.list | typeof applications.ofAccount
/** A page size above all counts: the server filters an account's applications by name only when paging. */
const ALL = { page: 1, page_size: 10_000 }

type Query = Given<List>['query'] & { account_sid?: string | undefined }
type PageRequest = { name?: string | undefined; page?: unknown; page_size?: number | undefined }

async function listApplications(
  query: Query,
  send: Server['send'],
  request: (query: PageRequest) => Promise<Reply<List>>,
) {
  const { page, page_size, filter, sort, name = filter, account_sid } = query
  const ordered = (sort === undefined || sort === 'name') && account_sid === undefined
  const paging = ordered && page !== undefined ? { page, page_size } : ALL
  const reply = await request({ name, ...paging })
  if (page === undefined) return reply.data
  const rows = reply.data.filter((a) => !account_sid || a.account_sid === account_sid)
  const result = ordered ? reply : pageOf(rows, { page, page_size, sort })
  return {
    ...result,
    page: Number(page),
    page_size: Number(page_size ?? 50),
    data: await withNames(result.data, send),
  }
}

async function withNames(rows: readonly ApplicationItem[], send: Server['send']) {
  const nameOf = await namesOf(send, accounts.list, { query: {} }, 'account_sid')
  return rows.map((a) => ({ ...a, account_name: nameOf(a.account_sid) }))
}

type Stored = { webhook_sid: string } | null | undefined

/** The server adds another webhook each time, unless it gets the webhook's sid. */
const withWebhookSid = <H extends object>(hook: H | null | undefined, stored: Stored) =>
  hook ? { ...hook, webhook_sid: stored?.webhook_sid } : undefined

export const forApplications = [
  on(applications.list, ({ query }, { send }) =>
    listApplications(query, send, (paging) => send(applications.list, { query: paging })),
  ),
  on(applications.ofAccount, ({ params, query }, { send }) =>
    listApplications(query, send, (paging) =>
      send(applications.ofAccount, { params, query: paging }),
    ),
  ),

  // its list of a provider returns the applications of all providers
  on(applications.ofServiceProvider, async ({ params, query }, { send }) => {
    const { page, filter, name = filter, ...paging } = query
    const [all, of] = await Promise.all([
      send(applications.list, { query: { name, ...ALL } }),
      lookUp(send, accounts.list, { query: {} }),
    ])
    const own = new Set(
      of
        .filter((a) => a.service_provider_sid === params.service_provider_sid)
        .map((a) => a.account_sid),
    )
    const rows = all.data.filter((a) => a.account_sid !== null && own.has(a.account_sid))
    const result = pageOf(rows, { ...paging, page: page ?? 1 })
    return { ...result, data: await withNames(result.data, send) }
  }),

  on(applications.create, ({ body }, { send }) => {
    const { messaging_hook, ...rest } = body
    return send(applications.create, {
      body: { ...rest, ...(messaging_hook && { messaging_hook }) },
    })
  }),

  on(applications.update, async ({ params, body }, { send }) => {
    const stored = await send(applications.view, { params })
    const { call_hook, call_status_hook, messaging_hook, ...rest } = body
    const hooks = defined({
      call_hook: withWebhookSid(call_hook, stored.call_hook),
      call_status_hook: withWebhookSid(call_status_hook, stored.call_status_hook),
      messaging_hook: withWebhookSid(messaging_hook, stored.messaging_hook),
    })
    await send(applications.update, { params, body: { ...rest, ...hooks } })
    if (body.messaging_hook === null && stored.messaging_hook)
      throw new PartlySaved(
        t(
          'Saved: the application. Not saved: the removal of its messaging webhook, which this server does not offer.',
        ),
      )
  }),

  on(applications.remove, async ({ params }, { send }) => {
    const { application_sid } = params
    const usingIt = <T extends { application_sid: string | null }>(rows: T[]) =>
      rows.filter((row) => row.application_sid === application_sid)
    const [all, numbers, tenants, carriers] = await Promise.all([
      rowsOf(send, accounts.list, { query: {} }),
      rowsOf(send, phoneNumbers.list, { query: {} }),
      rowsOf(send, msTeamsTenants.list, { query: {} }),
      rowsOf(send, voipCarriers.list, { query: {} }),
    ])
    const devices = all.filter(
      (a) =>
        a.device_calling_application_sid === application_sid ||
        a.siprec_hook_sid === application_sid,
    )
    refuseInUse('application', [
      usage(t('Accounts'), devices, 'account_sid', 'name'),
      usage(t('Phone numbers'), usingIt(numbers), 'phone_number_sid', 'number'),
      usage(t('Microsoft Teams tenants'), usingIt(tenants), 'ms_teams_tenant_sid', 'tenant_fqdn'),
      usage(t('Carriers'), usingIt(carriers), 'voip_carrier_sid', 'name'),
    ])
    return send(applications.remove, { params })
  }),

  // it does not say why there is no schema
  on(appEnv.check, async ({ query }, { send }) => {
    const schema = await send(appEnv.view, { query })
    return schema ? { schema } : { problem: { code: 'none' as const, text: APP_ENV_PROBLEMS.none } }
  }),
]
