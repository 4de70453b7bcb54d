import { type Ends, endsBefore, endsOf, isoEnds } from '../../calls/call-span'
import { visitTime } from '../../calls/visit-time'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { accountVoice, providerVoice } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { defined, type Raw, text } from '../../lib/list-search'
import { prefetchForProvider } from '../../lib/load'
import { timeZone } from '../../ui/time-zone'
import { askedOf, type Search } from './search'

export const searchOf = (raw: Raw): Search =>
  defined({
    account_sid: text(raw.account_sid),
    application_sid: text(raw.application_sid),
    date: text(raw.date),
    compare: text(raw.compare),
    with: text(raw.with),
  })

export type Of = { provider: string; account_sid: string | undefined }

/** The figures of a period, of an account or the provider. A refresh asks for a later one. */
export function figuresOf(
  { provider, account_sid }: Of,
  ends: Ends,
  application_sid: string | undefined,
) {
  const asked = { ...isoEnds(ends), time_zone: timeZone(), application_sid }
  const figures = account_sid
    ? query(accountVoice.figures, { params: { account_sid }, query: asked })
    : query(providerVoice.figures, { params: { service_provider_sid: provider }, query: asked })
  return { ...figures, staleTime: Number.POSITIVE_INFINITY }
}

/** The figures to compare with. The screen shows none if they fail. */
export function otherOf(of: Of, search: Search, ends: Ends) {
  const { date, compare } = askedOf(search)
  const other =
    compare === 'before'
      ? figuresOf(of, endsBefore(date, ends), search.application_sid)
      : figuresOf(of, ends, search.with)
  return { ...other, ...INLINE }
}

/** Asks for what the screen shows first. */
export function load(search: Search) {
  const { date, compare } = askedOf(search)
  const ends = endsOf(date, visitTime())
  return prefetchForProvider((provider) => {
    const of = { provider, account_sid: ownAccount() ?? search.account_sid }
    const figures = figuresOf(of, ends, search.application_sid)
    return compare === 'before' ? [figures, otherOf(of, search, ends)] : [figures]
  })
}
