import { FEWEST_WEEKS, t, USUAL_WEEKS, type ViewMeasure, wholeOf } from '@switchroom/contract'
import { invalidField } from '../../http/failure.ts'
import type { Span } from '../../stores/calls/store.ts'
import { callFilters, type Search } from './count-rows.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WEEK_MS = 7 * DAY_MS
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000

/** Rows, and what is 100 %: null by rows, or if there are too few weeks with records. */
export type Measured = { counted: number; whole: number | null }
type Count = (search: Search, span: Span) => Promise<number>

/** Measures what a view has had in the minutes until `now`. Throws what `count` throws, and 400 as `wholeSearch` does. */
export async function measured(
  { measure, minutes }: { measure: ViewMeasure; minutes: number },
  search: Search,
  count: Count,
  now: number,
): Promise<Measured> {
  const span = { from: now - minutes * MINUTE_MS, to: now + AHEAD_MS }
  const whole = measure === 'share' ? wholeSearch(search) : undefined
  const counted = await count(search, span)
  if (whole) return { counted, whole: await count(whole, span) }
  if (measure === 'rows') return { counted, whole: null }
  return { counted, whole: await usual(search, count, { from: span.from, to: now }) }
}

/** What the calls of a view are a part of, as a view. Throws 400 if nothing singles them out. */
export function wholeSearch(search: Search): Search {
  const whole = wholeOf(callFilters(search))
  if (!whole)
    throw invalidField(
      'measure',
      t('This view has no outcome filter, so its share is always 100 %'),
    )
  return { ...whole.filters, account_sid: search.account_sid }
}

/**
 * The mean of the same time of the last weeks, by UTC. Weeks before the first records of the view's owner do not count;
 * null if too few are left.
 */
async function usual(search: Search, count: Count, { from, to }: Span): Promise<number | null> {
  const weeks: number[] = []
  for (let week = USUAL_WEEKS; week > 0; week--) {
    const back = week * WEEK_MS
    const rows = await count(search, { from: from - back, to: to - back })
    // once there were records, a time without is one without calls
    if (rows > 0 || weeks.length > 0 || (await hasRecords(search, count, to - back)))
      weeks.push(rows)
  }
  if (weeks.length < FEWEST_WEEKS) return null
  return Math.round(weeks.reduce((sum, rows) => sum + rows, 0) / weeks.length)
}

/** Whether the view's owner had any calls in the week until then, where the view's are counted. */
async function hasRecords(search: Search, count: Count, to: number) {
  const { voice, voice_of, at_least, said } = callFilters(search)
  const isByVoice = [voice, voice_of, at_least, said].some((filter) => filter !== undefined)
  const all = { account_sid: search.account_sid, ...(isByVoice && { voice: 'calls' }) }
  // a day tells it of most owners, and is less to count
  for (const back of [DAY_MS, WEEK_MS])
    if ((await count(all, { from: to - back, to })) > 0) return true
  return false
}
