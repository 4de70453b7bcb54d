import {
  accounts,
  limits,
  msTeamsTenants,
  phoneNumbers,
  serviceProviders,
  users,
} from '@switchroom/contract'
import { limitSteps } from './limits'
import { rowsOf } from './lists'
import { refuseInUse, usage } from './refuse'
import { on } from './server'
import { inOrder } from './steps'

export const forProviders = [
  on(serviceProviders.view, async ({ params }, { ask, who }) => {
    const provider = await ask(serviceProviders.view, { params })
    // limits are the provider's business, not its accounts'
    const own =
      who?.scope === 'account' ? [] : await ask(limits.ofServiceProvider, { params, query: {} })
    return { ...provider, limits: own }
  }),

  on(serviceProviders.update, async ({ params, body }, { ask }) => {
    const { limits: values, registration_hook, ...rest } = body
    // a hook that is left out is taken away there, and null ends in an error
    const hook =
      registration_hook === undefined
        ? (await ask(serviceProviders.view, { params })).registration_hook
        : registration_hook
    await ask(serviceProviders.update, {
      params,
      // no hook at all is an empty one there
      body: { ...rest, registration_hook: (hook ?? {}) as NonNullable<typeof registration_hook> },
    })
    await inOrder('the service provider', limitSteps(ask, params, values))
  }),

  on(serviceProviders.remove, async ({ params }, { ask }) => {
    const { service_provider_sid } = params
    const its = <T extends { service_provider_sid?: string | null }>(rows: T[]) =>
      rows.filter((row) => row.service_provider_sid === service_provider_sid)
    const [of, people, numbers, tenants] = await Promise.all([
      rowsOf(ask, accounts.ofServiceProvider, { params, query: {} }),
      rowsOf(ask, users.list, { query: {} }),
      rowsOf(ask, phoneNumbers.list, { query: {} }),
      rowsOf(ask, msTeamsTenants.list, { query: {} }),
    ])
    refuseInUse('service provider', [
      usage('Accounts', of, 'account_sid', 'name'),
      usage('Users', its(people), 'user_sid', 'name'),
      usage('Phone numbers', its(numbers), 'phone_number_sid', 'number'),
      usage('Microsoft Teams tenants', its(tenants), 'ms_teams_tenant_sid', 'tenant_fqdn'),
    ])
    return ask(serviceProviders.remove, { params })
  }),
]
