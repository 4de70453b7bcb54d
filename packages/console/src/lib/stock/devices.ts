import { accounts, applications, clients, msTeamsTenants } from '../endpoints'
import { lookUp, namesOf, pageOf, rowsOf } from './lists'
import { on, withoutNulls } from './server'

/** SIP clients and Microsoft Teams tenants. */
export const forDevices = [
  on(clients.list, async ({ query }, { send }) => {
    const { account_sid, service_provider_sid, ...paging } = query
    const all = await rowsOf(send, clients.list, { query: {} })
    const seen = await lookUp(send, accounts.list, { query: {} }).catch(() => [])
    const of = new Map(seen.map((a) => [a.account_sid, a]))
    const rows = all.filter(
      (c) =>
        (!account_sid || c.account_sid === account_sid) &&
        (!service_provider_sid ||
          of.get(c.account_sid)?.service_provider_sid === service_provider_sid),
    )
    const result = pageOf(rows, paging)
    const data = result.data.map((c) => ({
      ...c,
      account_name: of.get(c.account_sid)?.name ?? c.account_sid,
      sip_realm: of.get(c.account_sid)?.sip_realm ?? null,
    }))
    return { ...result, data }
  }),

  // a password that is left out is kept, and a client cannot change its account
  on(clients.update, ({ params, body }, { send }) =>
    send(clients.update, { params, body: withoutNulls(body) }),
  ),

  on(msTeamsTenants.list, async ({ query }, { send }) => {
    const { account_sid, service_provider_sid, ...paging } = query
    // it returns those of all accounts
    const all = await rowsOf(send, msTeamsTenants.list, { query: {} })
    const rows = all.filter(
      (t) =>
        (!account_sid || t.account_sid === account_sid) &&
        (!service_provider_sid || t.service_provider_sid === service_provider_sid),
    )
    const result = pageOf(rows, paging)
    const [account, application] = await Promise.all([
      namesOf(send, accounts.list, { query: {} }, 'account_sid'),
      namesOf(send, applications.list, { query: {} }, 'application_sid'),
    ])
    const data = result.data.map((t) => ({
      ...t,
      account_name: account(t.account_sid),
      application_name: application(t.application_sid),
    }))
    return { ...result, data }
  }),

  on(msTeamsTenants.create, async ({ body }, { send, user, provider }) => {
    const account_sid = body.account_sid ?? user?.account_sid
    const of = (await lookUp(send, accounts.list, { query: {} })).find(
      (a) => a.account_sid === account_sid,
    )
    const service_provider_sid =
      body.service_provider_sid ?? of?.service_provider_sid ?? (await provider())
    return send(msTeamsTenants.create, { body: { ...body, account_sid, service_provider_sid } })
  }),

  on(msTeamsTenants.update, ({ params, body }, { send }) => {
    const { account_sid, service_provider_sid, ...rest } = body
    const owners = withoutNulls({ account_sid, service_provider_sid })
    return send(msTeamsTenants.update, { params, body: { ...rest, ...owners } })
  }),
]
