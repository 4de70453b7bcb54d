import { BUCKET_SECRETS, MASK, t } from '@switchroom/contract'
import {
  accounts,
  apiKeys,
  applications,
  clients,
  lcrs,
  limits,
  msTeamsTenants,
  phoneNumbers,
  smppGateways,
  uses,
  voipCarriers,
} from '../endpoints'
import { limitSteps } from './limits'
import { rowsOf } from './lists'
import { providerUses } from './providers'
import { notOffered, refuseInUse, usage, using } from './refuse'
import { routesThrough } from './routing'
import { on, type Server } from './server'
import { created, runInOrder, type Step } from './steps'

type Bucket = Record<string, unknown> | null | undefined

/** The server recognizes only its own mask for a secret to keep, and would store ours. */
const withServerMask = <B extends object>(bucket: B, stored: Bucket): B => ({
  ...bucket,
  ...Object.fromEntries(
    Object.entries(bucket)
      .filter(([key, value]) => value === MASK && BUCKET_SECRETS.some((s) => s === key))
      .map(([key]) => [key, stored?.[key]]),
  ),
})

/** Everything that would be deleted with an account, or would make its deletion fail halfway. */
async function usagesOf(account_sid: string, { send }: Server) {
  const params = { account_sid }
  const own = <T extends { account_sid: string | null }>(rows: T[]) =>
    rows.filter((row) => row.account_sid === account_sid)
  const [apps, numbers, tenants, keys, sip, carriers, tables] = await Promise.all([
    rowsOf(send, applications.ofAccount, { params, query: {} }),
    rowsOf(send, phoneNumbers.list, { query: { account_sid } }),
    rowsOf(send, msTeamsTenants.list, { query: {} }),
    rowsOf(send, apiKeys.ofAccount, { params, query: {} }),
    rowsOf(send, clients.list, { query: {} }),
    rowsOf(send, voipCarriers.ofAccount, { params, query: {} }),
    rowsOf(send, lcrs.list, { query: {} }),
  ])
  const sids = carriers.map((c) => c.voip_carrier_sid)
  const smpp = await Promise.all(
    carriers.map(async (c) => {
      const { voip_carrier_sid } = c
      const gateways = await send(smppGateways.list, { query: { voip_carrier_sid } })
      return gateways.length > 0 ? [c] : []
    }),
  )
  const others = tables.filter((t) => t.account_sid !== account_sid)
  const routes = await routesThrough(send, others, sids)
  return [
    using('application', usage(t('Applications'), apps, 'application_sid', 'name')),
    using('phone_number', usage(t('Phone numbers'), own(numbers), 'phone_number_sid', 'number')),
    using(
      'ms_teams_tenant',
      usage(t('Microsoft Teams tenants'), own(tenants), 'ms_teams_tenant_sid', 'tenant_fqdn'),
    ),
    using('api_key', usage(t('API keys'), keys, 'api_key_sid', 'api_key_sid')),
    using('client', usage(t('SIP clients'), own(sip), 'client_sid', 'username')),
    using(
      'voip_carrier',
      usage(t('Carriers with SMPP gateways'), smpp.flat(), 'voip_carrier_sid', 'name'),
    ),
    using('lcr', usage(t('Outbound call routing'), own(tables), 'lcr_sid', 'name')),
    using('lcr', usage(t('Outbound call routing'), routes, 'lcr_route_sid', 'regex')),
  ]
}

export const forAccounts = [
  on(uses.view, async ({ params: { kind, sid } }, server) => {
    if (kind !== 'account' && kind !== 'service_provider') throw notOffered()
    const used = await (kind === 'account' ? usagesOf : providerUses)(sid, server)
    return used.filter(({ total }) => total > 0)
  }),

  on(accounts.view, async ({ params }, { send }) => {
    const [account, own] = await Promise.all([
      send(accounts.view, { params }),
      send(limits.ofAccount, { params, query: {} }),
    ])
    return { ...account, limits: own }
  }),

  on(accounts.create, async ({ body }, { send, provider }) => {
    // a credential sent on creation is stored unencrypted, and cannot be read back
    const { limits: values, bucket_credential, service_provider_sid, ...account } = body
    const owner = service_provider_sid ?? (await provider())
    const { sid } = await send(accounts.create, {
      body: { ...account, service_provider_sid: owner },
    })
    const params = { account_sid: sid }
    const bucket: Step[] = bucket_credential
      ? [
          {
            what: t('where recordings are kept'),
            run: () => send(accounts.update, { params, body: { bucket_credential } }),
          },
        ]
      : []
    return created(sid, () =>
      runInOrder(t('the account'), [...bucket, ...limitSteps(send, params, values)]),
    )
  }),

  on(accounts.update, async ({ params, body }, { send, user }) => {
    const { limits: values, sip_realm, bucket_credential, service_provider_sid: _, ...rest } = body
    const stored = await send(accounts.view, { params })
    // it rejects even an unchanged realm from users of the account
    const realm = sip_realm !== undefined && sip_realm !== stored.sip_realm ? sip_realm : undefined
    const chooses = user?.scope === 'account' && realm ? realm : undefined
    const change = {
      ...rest,
      ...(realm !== undefined && !chooses && { sip_realm: realm }),
      ...(bucket_credential !== undefined && {
        bucket_credential:
          bucket_credential && withServerMask(bucket_credential, stored.bucket_credential),
      }),
    }
    if (Object.values(change).some((value) => value !== undefined))
      await send(accounts.update, { params, body: change })
    const chosen: Step[] = chooses
      ? [
          {
            what: t('SIP realm'),
            run: () => send(accounts.setSipRealm, { params: { ...params, sip_realm: chooses } }),
          },
        ]
      : []
    await runInOrder(t('the account'), [...chosen, ...limitSteps(send, params, values)])
  }),

  on(accounts.testBucket, async ({ params, body }, { send }) => {
    const masked = BUCKET_SECRETS.some((key) => body[key] === MASK)
    const stored = masked ? (await send(accounts.view, { params })).bucket_credential : null
    return send(accounts.testBucket, { params, body: withServerMask(body, stored) })
  }),

  on(accounts.remove, async ({ params, body }, server) => {
    refuseInUse('account', await usagesOf(params.account_sid, server))
    return server.send(accounts.remove, { params, body })
  }),
]
