import { REQUEST_KINDS, REQUEST_OUTCOMES, t } from '@switchroom/contract'
import { isCallDate, spanQuery } from '../../calls/call-span'
import { atLeast } from '../../lib/access'
import { query } from '../../lib/api'
import { webhookRequests } from '../../lib/endpoints'
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
import { keysOf } from '../../lib/records'

export const OUTCOMES = { failed: t('All failures'), ...REQUEST_OUTCOMES }

export type Search = AccountSearch &
  Partial<Record<'kind' | 'outcome' | 'application_sid' | 'date', string>>

export const searchOf = (raw: Raw): Search => ({
  ...accountSearch(raw),
  ...defined({
    kind: text(raw.kind),
    outcome: text(raw.outcome),
    application_sid: text(raw.application_sid),
    date: text(raw.date),
  }),
})

/** A URL may say anything; drops what the endpoint would reject. */
export function listOf(service_provider_sid: string, { kind, outcome, date, ...search }: Search) {
  const { start, end }: { start?: string; end?: string } = isCallDate(date) ? spanQuery(date) : {}
  return query(webhookRequests.list, {
    query: paged({
      ...search,
      kind: oneOf(keysOf(REQUEST_KINDS), kind),
      outcome: oneOf(keysOf(OUTCOMES), outcome),
      from: start,
      to: end,
      // admins also see requests that belong to no provider
      ...(!atLeast('admin') && { service_provider_sid }),
    }),
  })
}

export const load = (search: Search) => loadList(listOf, search)

export const viewOf = (webhook_request_sid: string) =>
  query(webhookRequests.view, { params: { webhook_request_sid } })
