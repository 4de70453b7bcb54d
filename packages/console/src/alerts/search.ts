import { accountAlerts, providerAlerts } from '@switchroom/contract'
import { isCallDate, spanQuery } from '../calls/call-span'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import type { ListSearch } from '../lib/list-search'
import { PAGE_SIZE } from '../lib/page-sizes'
import type { AlertsOf } from './unread-alerts'

export type Search = ListSearch & { account_sid?: string; date?: string; alert_type?: string }

/** Whoever comes because of the badge finds what it counts. */
export const USUAL_DATE = '7'
export const dateOf = ({ date }: Search) => (isCallDate(date) ? date : USUAL_DATE)

/** Whose alerts are shown: the account's at hand, or all of the provider's. */
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

/** Whether the newest alerts are among those shown, so that looking at them is having seen them. */
export const showsNewest = (search: Search) =>
  !search.page && !search.alert_type && dateOf(search) !== 'yesterday'
