import { query } from '../../lib/api'
import { clients } from '../../lib/endpoints'
import { paged, type UsedSearch, usedSearch } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const searchOf = usedSearch

export const listOf = (service_provider_sid: string, search: UsedSearch) =>
  query(clients.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: UsedSearch) => loadList(listOf, search)

export const viewOf = (client_sid: string) => query(clients.view, { params: { client_sid } })
