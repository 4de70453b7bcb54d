import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { accountRecentCalls, providerRecentCalls } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { defined, type Raw, text } from '../../lib/list-search'
import { prefetchForProvider } from '../../lib/load'
import { timeZone } from '../../ui/time-zone'
import { type CallDate, type Ends, endsBefore, endsOf, isCallDate, isoEnds } from '../call-span'
import { visitTime } from '../visit-time'

export type Search = { account_sid?: string; date?: string }

export const searchOf = (raw: Raw): Search =>
  defined({ account_sid: text(raw.account_sid), date: text(raw.date) })

export const dateOf = ({ date }: Search): CallDate => (isCallDate(date) ? date : '7')

/** The figures of a period, of an account or the provider. A refresh asks for a later one. */
export function figuresOf(
  service_provider_sid: string,
  account_sid: string | undefined,
  ends: Ends,
) {
  const asked = { ...isoEnds(ends), time_zone: timeZone() }
  const figures = account_sid
    ? query(accountRecentCalls.figures, { params: { account_sid }, query: asked })
    : query(providerRecentCalls.figures, { params: { service_provider_sid }, query: asked })
  return { ...figures, staleTime: Number.POSITIVE_INFINITY }
}

/** The figures to compare with. Cards do without them if they fail. */
export const earlierOf = (provider: string, account_sid: string | undefined, ends: Ends) => ({
  ...figuresOf(provider, account_sid, ends),
  ...INLINE,
})

/** Asks for what the screen shows first. */
export function load(search: Search) {
  const date = dateOf(search)
  const ends = endsOf(date, visitTime())
  const account = ownAccount() ?? search.account_sid
  return prefetchForProvider((provider) => [
    figuresOf(provider, account, ends),
    earlierOf(provider, account, endsBefore(date, ends)),
  ])
}
