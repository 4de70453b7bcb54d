import { query } from '../../lib/api'
import { lcrs } from '../../lib/endpoints'
import { type AccountSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(lcrs.list, { query: { service_provider_sid, ...paged(search) } })

/** Loads the list for administrators, who may have many tables. */
export const load = (search: AccountSearch) => loadList(listOf, search)

export const viewOf = (lcr_sid: string) => query(lcrs.view, { params: { lcr_sid } })
