import { accounts, limits, type Reply, serviceProviders } from '@switchroom/contract'
import { queryOptions } from '@tanstack/react-query'
import { send } from './api'

// a stock server says the limits of a thing only when asked for them: a form that took them for none
// would take them away

export const accountWithLimits = (account_sid: string) => {
  const params = { account_sid }
  return queryOptions({
    queryKey: [accounts.view.path, params, 'with limits'],
    queryFn: async (): Promise<Reply<typeof accounts.view>> => {
      const account: Partial<Reply<typeof accounts.view>> = await send(accounts.view, { params })
      const own = account.limits ?? (await send(limits.ofAccount, { params, query: {} }))
      return { ...(account as Reply<typeof accounts.view>), limits: own }
    },
  })
}

export const providerWithLimits = (service_provider_sid: string) => {
  const params = { service_provider_sid }
  return queryOptions({
    queryKey: [serviceProviders.view.path, params, 'with limits'],
    queryFn: async (): Promise<Reply<typeof serviceProviders.view>> => {
      const provider: Partial<Reply<typeof serviceProviders.view>> = await send(
        serviceProviders.view,
        { params },
      )
      const own = provider.limits ?? (await send(limits.ofServiceProvider, { params, query: {} }))
      return { ...(provider as Reply<typeof serviceProviders.view>), limits: own }
    },
  })
}
