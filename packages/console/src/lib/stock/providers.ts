import { type ThingUse, t } from '@switchroom/contract'
import {
  accounts,
  limits,
  msTeamsTenants,
  phoneNumbers,
  serviceProviders,
  users,
} from '../endpoints'
import { limitSteps } from './limits'
import { rowsOf } from './lists'
import { refuseInUse, usage, using } from './refuse'
import { on, type Server } from './server'
import { runInOrder } from './steps'

/** Everything that keeps a provider from being deleted. */
export async function providerUses(
  service_provider_sid: string,
  { send }: Server,
): Promise<ThingUse[]> {
  const params = { service_provider_sid }
  const ofProvider = <T extends { service_provider_sid?: string | null }>(rows: T[]) =>
    rows.filter((row) => row.service_provider_sid === service_provider_sid)
  const [owned, people, numbers, tenants] = await Promise.all([
    rowsOf(send, accounts.ofServiceProvider, { params, query: {} }),
    rowsOf(send, users.list, { query: {} }),
    rowsOf(send, phoneNumbers.list, { query: {} }),
    rowsOf(send, msTeamsTenants.list, { query: {} }),
  ])
  return [
    using('account', usage(t('Accounts'), owned, 'account_sid', 'name')),
    using('user', usage(t('Users'), ofProvider(people), 'user_sid', 'name')),
    using(
      'phone_number',
      usage(t('Phone numbers'), ofProvider(numbers), 'phone_number_sid', 'number'),
    ),
    using(
      'ms_teams_tenant',
      usage(
        t('Microsoft Teams tenants'),
        ofProvider(tenants),
        'ms_teams_tenant_sid',
        'tenant_fqdn',
      ),
    ),
  ]
}

export const forProviders = [
  on(serviceProviders.view, async ({ params }, { send, user }) => {
    const provider = await send(serviceProviders.view, { params })
    // account users may not see the provider's limits
    const own =
      user?.scope === 'account' ? [] : await send(limits.ofServiceProvider, { params, query: {} })
    return { ...provider, limits: own }
  }),

  on(serviceProviders.update, async ({ params, body }, { send }) => {
    const { limits: values, registration_hook, ...rest } = body
    // the server removes a hook that is left out, and fails on null
    const hook =
      registration_hook === undefined
        ? (await send(serviceProviders.view, { params })).registration_hook
        : registration_hook
    await send(serviceProviders.update, {
      params,
      // an empty object stands for no hook
      body: { ...rest, registration_hook: (hook ?? {}) as NonNullable<typeof registration_hook> },
    })
    await runInOrder(t('the service provider'), limitSteps(send, params, values))
  }),

  on(serviceProviders.remove, async ({ params }, server) => {
    refuseInUse('service_provider', await providerUses(params.service_provider_sid, server))
    return server.send(serviceProviders.remove, { params })
  }),
]
