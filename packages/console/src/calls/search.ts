import { type Call, keysOf, MISSING_MEMBERS, SCORE_FILTERS } from '@switchroom/contract'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'
import { accountRecentCalls, providerRecentCalls } from '../lib/endpoints'
import { defined, type ListSearch, listSearch, oneOf, type Raw, text } from '../lib/list-search'
import { loadList } from '../lib/load'
import { PAGE_SIZE } from '../lib/page-sizes'
import { type CallDate, isCallDate, spanQuery } from './call-span'
import { voiceFilters } from './voice-search'

/** The filters in the list's URL. `start` and `end`, of a range or of a link of the dashboard, override `date`. */
const FILTERS = [
  ...(['account_sid', 'date', 'direction', 'answered', 'trunk', 'application_sid'] as const),
  ...(['sip_status', 'prefix', 'missing', 'voice', 'voice_of', 'at_least', 'said'] as const),
  ...(['score', 'tokens_at_least', 'cost_at_least', 'start', 'end'] as const),
]
export type FilterName = (typeof FILTERS)[number] | OpenName
export type Search = ListSearch & Partial<Record<FilterName, string>>
/** The open call, its tab, and live updates: part of the URL, but not filters of the list. */
type OpenName = 'open' | 'tab' | 'live'

export const searchOf = (raw: Raw): Search => ({
  ...listSearch(raw),
  ...defined(
    Object.fromEntries([...FILTERS, 'open', 'tab'].map((name) => [name, text(raw[name])])),
  ),
  ...defined({ live: oneOf(['on'], raw.live) }),
})

export const NO_FILTERS = Object.fromEntries(
  ['filter', ...FILTERS].map((name) => [name, undefined]),
)

/** The preset period, unless `start` or `end` override it. */
export const dateIn = ({ date }: Search): CallDate => (isCallDate(date) ? date : 'today')

/** Id of a call in a URL. */
export const idOf = ({ call_sid, sip_callid }: Pick<Call, 'call_sid' | 'sip_callid'>) =>
  call_sid ?? sip_callid ?? undefined

/** The list's part of the search, without the open call and its tab. */
export const listPart = ({ open: _, tab: __, ...list }: Search): Search => list

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const isoTime = (text: string | undefined) => (text && ISO.test(text) ? text : undefined)

/** Members that are missing from the calls, as in the URL. */
export const missingIn = ({ missing = '' }: Search) =>
  MISSING_MEMBERS.filter((name) => missing.split(',').includes(name))

const numberIn = (text: string | undefined, shape: RegExp) =>
  text && shape.test(text) ? Number(text) : undefined

/** The URL's filters as the endpoints take them. Drops values that they would reject, since a URL may be typed. */
export function filtersOf(search: Search) {
  const start = isoTime(search.start)
  const end = isoTime(search.end)
  const { sip_status } = search
  const span: { start?: string | undefined; end?: string | undefined } =
    start || end ? { start, end } : spanQuery(dateIn(search))
  return {
    start: span.start,
    end: span.end,
    direction: oneOf(['inbound', 'outbound'], search.direction),
    answered: oneOf(['true', 'false', 'known', 'unknown'], search.answered),
    filter: search.filter,
    trunk: search.trunk?.slice(0, 128),
    application_sid: search.application_sid?.slice(0, 128),
    sip_status: sip_status && /^\d{1,3}$/.test(sip_status) ? Number(sip_status) : undefined,
    prefix: search.prefix && /^\d{1,15}$/.test(search.prefix) ? search.prefix : undefined,
    missing: missingIn(search).join() || undefined,
    ...voiceFilters(search),
    score: oneOf(SCORE_FILTERS, search.score),
    tokens_at_least: numberIn(search.tokens_at_least, /^\d{1,9}$/),
    // prices are an account's own
    cost_at_least:
      (ownAccount() ?? search.account_sid)
        ? numberIn(search.cost_at_least, /^\d{1,6}(\.\d{1,9})?$/)
        : undefined,
    // if it has a word; its field tells what else may be wrong, since all screens load this
    said: search.said?.match(/\p{L}|\p{N}/u)?.input,
  }
}

/** True if any filter but the date is set; a list of calls always has a date. */
export function isFiltered(search: Search) {
  const { page: _, page_size: __, sort: ___, date: ____, live: _____, ...rest } = listPart(search)
  return keysOf(rest).some((name) => name !== 'account_sid')
}

/** The endpoints for these calls: of the user's or filtered account, else of the provider. */
export function endpointsFor(service_provider_sid: string, search: Search) {
  const account_sid = ownAccount() ?? search.account_sid
  return account_sid
    ? { endpoints: accountRecentCalls, params: { account_sid } }
    : { endpoints: providerRecentCalls, params: { service_provider_sid } }
}

export function listOf(service_provider_sid: string, search: Search) {
  const { endpoints, params } = endpointsFor(service_provider_sid, search)
  const page = { page: search.page ?? 1, count: search.page_size ?? PAGE_SIZE }
  return query(endpoints.list, { params, query: { ...page, ...filtersOf(search) } })
}

export const load = (search: Search) => loadList(listOf, search)
