import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import { applications } from '../lib/endpoints'
import { paged, type UsedSearch, usedSearch } from '../lib/list-search'
import { loadList } from '../lib/load'

export const searchOf = usedSearch

export function listOf(service_provider_sid: string, { account_sid, ...search }: UsedSearch) {
  const account = ownAccount() ?? account_sid
  return account
    ? query(applications.ofAccount, { params: { account_sid: account }, query: paged(search) })
    : query(applications.ofServiceProvider, {
        params: { service_provider_sid },
        query: paged(search),
      })
}

export const load = (search: UsedSearch) => loadList(listOf, search)

export const viewOf = (application_sid: string) =>
  query(applications.view, { params: { application_sid } })
