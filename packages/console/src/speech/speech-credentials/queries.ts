import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { type AccountSearch, paged } from '../../lib/list-search'
import { loadList } from '../../lib/load'
import { listApi } from './speech-api'

/** Credentials of one account or of all; without `all`, only shared ones. */
export function listOf(service_provider_sid: string, { account_sid, ...search }: AccountSearch) {
  const { credentials, owner } = listApi(service_provider_sid)
  return query(credentials.list, {
    params: owner,
    query: {
      ...paged(search),
      ...(!ownAccount() && (account_sid ? { account_sid } : { all: 1 as const })),
    },
  })
}

export const load = (search: AccountSearch) => loadList(listOf, search)
