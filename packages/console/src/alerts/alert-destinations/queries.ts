import { query } from '../../lib/api'
import { alertDestinations } from '../../lib/endpoints'
import { type AccountSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(alertDestinations.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: AccountSearch) => loadList(listOf, search)

export const viewOf = (alert_destination_sid: string) =>
  query(alertDestinations.view, { params: { alert_destination_sid } })
