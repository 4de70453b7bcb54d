import { denominatorOf, FEWEST_WEEKS, t, USUAL_WEEKS, type ViewMeasure } from '@switchroom/contract'
import { invalidField } from '../../http/failure.ts'
import type { Span } from '../../stores/calls/store.ts'
import { callFilters, type Search } from './count-rows.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WEEK_MS = 7 * DAY_MS
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000

/** `comparedWith` is 100 %: null if measured in rows, or if too few weeks have records. */
export type Measured = { counted: number; comparedWith: number | null }
type Count = (search: Search, span: Span) => Promise<number>

/**
 * Measures a view over the minutes until `now`. Throws what `count` throws, and 400 as
 * `denominatorSearch` does.
 */
export async function measured(
  { measure, minutes }: { measure: ViewMeasure; minutes: number },
  search: Search,
  count: Count,
  now: number,
): Promise<Measured> {
  const span = { from: now - minutes * MINUTE_MS, to: now + AHEAD_MS }
  const denominator = measure === 'share' ? denominatorSearch(search) : undefined
  const counted = await count(search, span)
  if (denominator) return { counted, comparedWith: await count(denominator, span) }
  if (measure === 'rows') return { counted, comparedWith: null }
  return { counted, comparedWith: await baseline(search, count, { from: span.from, to: now }) }
}

/**
 * The view with its outcome filters removed: the denominator of a share. Throws 400 if the view has
 * no such filter.
 */
export function denominatorSearch(search: Search): Search {
  const denominator = denominatorOf(callFilters(search))
  if (!denominator)
    throw invalidField(
      'measure',
      t('This view has no outcome filter, so its share is always 100 %'),
    )
  return { ...denominator.filters, account_sid: search.account_sid }
}

/**
 * Mean count at the same time of the last weeks, in UTC. Weeks before the first records of the
 * view's owner do not count; null if too few are left.
 */
async function baseline(search: Search, count: Count, { from, to }: Span): Promise<number | null> {
  const weeks: number[] = []
  for (let week = USUAL_WEEKS; week > 0; week--) {
    const back = week * WEEK_MS
    const rows = await count(search, { from: from - back, to: to - back })
    // after the first records, a time without records is a time without calls
    if (rows > 0 || weeks.length > 0 || (await hasRecords(search, count, to - back)))
      weeks.push(rows)
  }
  if (weeks.length < FEWEST_WEEKS) return null
  return Math.round(weeks.reduce((sum, rows) => sum + rows, 0) / weeks.length)
}

/** True if the view's owner had calls in the week before, where the view's calls are counted. */
async function hasRecords(search: Search, count: Count, to: number) {
  const { score, voice, voice_of, at_least, said } = callFilters(search)
  const isByVoice = [voice, voice_of, at_least, said].some((filter) => filter !== undefined)
  const all = {
    account_sid: search.account_sid,
    ...(score !== undefined ? { score: 'scored' } : isByVoice && { voice: 'calls' }),
  }
  // a day is enough for most owners, and less to count
  for (const back of [DAY_MS, WEEK_MS])
    if ((await count(all, { from: to - back, to })) > 0) return true
  return false
}
