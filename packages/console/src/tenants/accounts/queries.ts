import { query } from '../../lib/api'
import { accounts } from '../../lib/endpoints'
import { type ListSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const listOf = (service_provider_sid: string, search: ListSearch) =>
  query(accounts.ofServiceProvider, { params: { service_provider_sid }, query: paged(search) })

export const load = (search: ListSearch) => loadList(listOf, search)

/** An account with its limits. */
export const viewOf = (account_sid: string) => query(accounts.view, { params: { account_sid } })
