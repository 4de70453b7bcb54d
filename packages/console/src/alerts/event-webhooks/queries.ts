import { query } from '../../lib/api'
import { eventSubscriptions } from '../../lib/endpoints'
import { type AccountSearch, type ListSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const LIST = '/internal/alerts/webhooks'
export const hrefOf = (event_subscription_sid: string) => `${LIST}/${event_subscription_sid}`

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(eventSubscriptions.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: AccountSearch) => loadList(listOf, search)

export const viewOf = (event_subscription_sid: string) =>
  query(eventSubscriptions.view, { params: { event_subscription_sid } })

export const STATES = ['waiting', 'delivered', 'failed'] as const
export type DeliverySearch = ListSearch & { state?: (typeof STATES)[number] }

export const deliveriesOf = (event_subscription_sid: string, search: DeliverySearch) => {
  const { page, page_size } = paged(search)
  const { state } = search
  return query(eventSubscriptions.deliveries, {
    params: { event_subscription_sid },
    query: { page, page_size, ...(state && { state }) },
  })
}
