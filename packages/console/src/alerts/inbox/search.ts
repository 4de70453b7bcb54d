import type { IssueKind, Severity } from '@switchroom/contract'
import { query } from '../../lib/api'
import { accountIssues, providerIssues } from '../../lib/endpoints'
import { inboxOf } from '../../lib/issue-count'
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

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info']
const KINDS: readonly IssueKind[] = ['carrier', 'failure', 'alert', 'anomaly']
/** `all` are those in any state; what is open comes first. */
const STATES = ['muted', 'resolved', 'quiet', 'all'] as const
const ASSIGNED = ['me', 'nobody'] as const
/** `open`: which issue is opened. */
export type Search = AccountSearch & {
  severity?: Severity
  state?: (typeof STATES)[number]
  kind?: IssueKind
  assigned?: (typeof ASSIGNED)[number]
  open?: string
}

export const searchOf = (raw: Raw): Search => ({
  ...accountSearch(raw),
  ...defined({
    severity: oneOf(SEVERITIES, raw.severity),
    state: oneOf(STATES, raw.state),
    kind: oneOf(KINDS, raw.kind),
    assigned: oneOf(ASSIGNED, raw.assigned),
    open: text(raw.open),
  }),
})

export function listOf(service_provider_sid: string, search: Search) {
  const { open: _, account_sid, state, ...list } = search
  const of = inboxOf(service_provider_sid, account_sid)
  const filters = {
    ...paged(list),
    state: state === 'all' ? undefined : (state ?? ('open' as const)),
  }
  return 'account_sid' in of
    ? query(accountIssues.list, { params: of, query: filters })
    : query(providerIssues.list, { params: of, query: filters })
}

export const load = (search: Search) => loadList(listOf, search)
