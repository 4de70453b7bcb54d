import { isCallDate, spanQuery } from '../calls/call-span'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import { accountAlerts, providerAlerts } from '../lib/endpoints'
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
import type { AlertsOf } from './unread-alerts'

/** `open`: which alert is open. `by`: gathered by type and account. */
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

/** The default shows what the badge in the menu counts. */
export const DEFAULT_DATE = '7'
export const dateOf = ({ date }: Search) => (isCallDate(date) ? date : DEFAULT_DATE)

/** Whose alerts are shown: those of the user's or filtered account, else the provider's. */
export function ownerOf(service_provider_sid: string, search: Search): AlertsOf {
  const account_sid = ownAccount() ?? search.account_sid
  return account_sid ? { account_sid } : { service_provider_sid }
}

export function listOf(service_provider_sid: string, search: Search) {
  const of = ownerOf(service_provider_sid, search)
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

/** Alerts by type and account, which pages are taken from. */
export function gatheredOf(service_provider_sid: string, search: Search) {
  const of = ownerOf(service_provider_sid, search)
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
  search.by ? loadList(gatheredOf, search) : loadList(listOf, search)

/** Whether the list includes the newest alerts, so that showing it marks them as seen. */
export const showsNewest = (search: Search) =>
  !search.page && !search.alert_type && dateOf(search) !== 'yesterday'
