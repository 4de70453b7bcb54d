import { z } from 'zod'
import { IntegerOrNull, StringOrNull } from './fields.ts'
import { t } from './text.ts'

/**
 * How long a thing had no call, in whole days of UTC that end with today; `ever`: since counting began. The time before
 * `calls_counted_since` is not known, so it counts as time without a call.
 */
const Unused = z.enum(['7d', '30d', '90d', 'ever'], t('Enter 7d, 30d, 90d or ever'))
export type Unused = z.infer<typeof Unused>

/** Only things that had no call for this long. None while calls are not counted. */
export const unusedFilter = { unused: Unused.optional() }

/** The orders of a list by these counts. */
export const LATEST_CALLS_SORTS = ['last_call_at', 'calls_7d'] as const

/** The calls of a thing in its present account. All are null while its calls are not counted. */
export const latestCalls = {
  /** Start of the latest call, answered or not. Null if there was none since `calls_counted_since`. */
  last_call_at: StringOrNull,
  /** Calls of today and the six days before, in UTC. Legs count on their own. */
  calls_7d: IntegerOrNull,
  /**
   * Start of the time whose calls are counted. Null for what is not counted: phone numbers that are patterns, what an account
   * without call records has, and everything while counting is more than a day behind.
   */
  calls_counted_since: StringOrNull,
}
const LatestCalls = z.object(latestCalls)
export type LatestCalls = z.infer<typeof LatestCalls>
