import { isCallDate, spanQuery } from '../calls/call-span'
import { query } from '../lib/api'
import { accountAlerts, providerAlerts } from '../lib/endpoints'
import { inboxOf } from '../lib/issue-count'
import {
  type AccountSearch,
  accountSearch,
  defined,
  oneOf,
  type Raw,
  text,
} from '../lib/list-search'
import { loadList } from '../lib/load'
import { PAGE_SIZE } from '../lib/page-sizes'

/** `open`: which alert is open. `by`: grouped by type and account. */
export type Search = AccountSearch & {
  date?: string
  alert_type?: string
  open?: string
  by?: 'type'
}
export const searchOf = (raw: Raw): Search => ({
  ...accountSearch(raw),
  ...defined({
    date: text(raw.date),
    alert_type: text(raw.alert_type),
    open: text(raw.open),
    by: oneOf(['type'], raw.by),
  }),
})

export const DEFAULT_DATE = '7'
export const dateOf = ({ date }: Search) => (isCallDate(date) ? date : DEFAULT_DATE)

export function listOf(service_provider_sid: string, search: Search) {
  const of = inboxOf(service_provider_sid, search.account_sid)
  const filters = {
    page: search.page ?? 1,
    count: search.page_size ?? PAGE_SIZE,
    ...spanQuery(dateOf(search)),
    alert_type: search.alert_type?.slice(0, 128),
  }
  return 'account_sid' in of
    ? query(accountAlerts.list, { params: of, query: filters })
    : query(providerAlerts.list, { params: of, query: filters })
}

/** Alerts grouped by type and account. The list takes its pages from the answer. */
export function groupsOf(service_provider_sid: string, search: Search) {
  const of = inboxOf(service_provider_sid, search.account_sid)
  const filters = {
    ...spanQuery(dateOf(search)),
    alert_type: search.alert_type?.slice(0, 128),
    filter: search.filter,
  }
  return 'account_sid' in of
    ? query(accountAlerts.gathered, { params: of, query: filters })
    : query(providerAlerts.gathered, { params: of, query: filters })
}

export const load = (search: Search) =>
  search.by ? loadList(groupsOf, search) : loadList(listOf, search)
