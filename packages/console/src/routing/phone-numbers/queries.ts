import { query } from '../../lib/api'
import { phoneNumbers } from '../../lib/endpoints'
import { type AccountSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(phoneNumbers.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: AccountSearch) => loadList(listOf, search)

export const viewOf = (phone_number_sid: string) =>
  query(phoneNumbers.view, { params: { phone_number_sid } })
