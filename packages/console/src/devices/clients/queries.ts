import { query } from '../../lib/api'
import { clients } from '../../lib/endpoints'
import { type AccountSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(clients.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: AccountSearch) => loadList(listOf, search)

export const viewOf = (client_sid: string) => query(clients.view, { params: { client_sid } })
