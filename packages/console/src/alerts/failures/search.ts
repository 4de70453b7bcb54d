import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { failures } from '../../lib/endpoints'
import {
  type AccountSearch,
  accountSearch,
  defined,
  oneOf,
  paged,
  type Raw,
  text,
} from '../../lib/list-search'
import { loadList } from '../../lib/load'

/** `all` are those in any state; what is open comes first. */
const STATES = ['muted', 'resolved', 'all'] as const
/** `open`: which failure is opened. */
export type Search = AccountSearch & {
  state?: (typeof STATES)[number]
  trunk?: string
  open?: string
}

export const searchOf = (raw: Raw): Search => ({
  ...accountSearch(raw),
  ...defined({
    state: raw.state === 'mended' ? 'resolved' : oneOf(STATES, raw.state),
    trunk: text(raw.trunk),
    open: text(raw.open),
  }),
})

export function listOf(service_provider_sid: string, search: Search) {
  const { open: _, state, ...list } = search
  const account_sid = ownAccount() ?? search.account_sid
  return query(failures.list, {
    query: {
      service_provider_sid,
      ...paged(list),
      account_sid,
      state: state === 'all' ? undefined : (state ?? 'open'),
    },
  })
}

export const load = (search: Search) => loadList(listOf, search)
