import { atLeast } from '../../lib/access'
import { query, queryClient } from '../../lib/api'
import { capabilities } from '../../lib/capabilities'
import { voipCarriers } from '../../lib/endpoints'
import {
  type AccountSearch,
  accountSearch,
  defined,
  oneOf,
  paged,
  type Raw,
} from '../../lib/list-search'
import { loadList } from '../../lib/load'

/** The list's URL: `provider=none` for carriers without a service provider. */
export type OwnerlessSearch = AccountSearch & { provider?: 'none' }

export const searchOf = (raw: Raw): OwnerlessSearch => ({
  ...accountSearch(raw),
  ...defined({ provider: oneOf(['none'], raw.provider) }),
})

export const ownerlessList = ({ provider: _, account_sid: __, ...search }: OwnerlessSearch) =>
  query(voipCarriers.list, { query: { ownerless: 1, ...paged(search) } })

/** The number of carriers without a provider, for a hint above the list. */
export const ownerlessCount = () => ({
  ...query(voipCarriers.list, { query: { ownerless: 1, page: 1, page_size: 1 } }),
  meta: { background: true as const },
})

export const listOf = (service_provider_sid: string, { provider: _, ...search }: OwnerlessSearch) =>
  query(voipCarriers.ofServiceProvider, {
    params: { service_provider_sid },
    query: paged(search),
  })

export async function load(search: OwnerlessSearch) {
  const seesOwnerless = atLeast('admin') && (await capabilities())
  if (seesOwnerless && search.provider) {
    void queryClient.prefetchQuery(ownerlessList(search))
    return
  }
  if (seesOwnerless) void queryClient.prefetchQuery(ownerlessCount())
  await loadList(listOf, search)
}

/** A carrier with its gateways. */
export const viewOf = (voip_carrier_sid: string) =>
  query(voipCarriers.view, { params: { voip_carrier_sid } })
