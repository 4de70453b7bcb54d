import { query } from '../lib/api'
import { users } from '../lib/endpoints'
import {
  type AccountSearch,
  accountSearch,
  defined,
  oneOf,
  paged,
  type Raw,
} from '../lib/list-search'
import { loadList } from '../lib/load'

const ROLES = ['admin', 'service_provider', 'account'] as const
export type Search = AccountSearch & { scope?: (typeof ROLES)[number] }
export const searchOf = (raw: Raw): Search => ({
  ...accountSearch(raw),
  ...defined({ scope: oneOf(ROLES, raw.scope) }),
})

export const listOf = (service_provider_sid: string, search: Search) =>
  query(users.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: Search) => loadList(listOf, search)

export const viewOf = (user_sid: string) => query(users.view, { params: { user_sid } })
