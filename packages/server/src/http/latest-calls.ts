import type { LatestCalls, Unused } from '@switchroom/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { SortedAs } from '../db/listing-query.ts'
import type { Tables } from '../db/open.ts'
import type { Condition } from './tenancy.ts'

export const DAY_MS = 86_400_000
/** Today and those before it whose calls are `calls_7d`. */
export const DAYS = 7
const DAYS_OF = { '7d': DAYS, '30d': 30, '90d': 90 } as const

const SIDS = {
  applications: 'application_sid',
  clients: 'client_sid',
  phone_numbers: 'phone_number_sid',
} as const satisfies Partial<Record<keyof Tables, string>>
type Counted = keyof typeof SIDS

/** The day of UTC that a time is in, since 1970. */
export const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/** Since when calls are counted. Null before, and while counting is more than a day behind: rounded, so that lists are remembered. */
const watched = (now: number) => sql`(
  select counted_since from switchroom_call_watch where id = 1 and read_until >= ${(dayOf(now) - 1) * DAY_MS})`

/** True if the platform writes no records of the account’s calls. */
const isUnrecorded = (table: Counted) => sql<boolean>`exists (
  select 1 from accounts as unrecorded
  where unrecorded.account_sid = ${sql.ref(`${table}.account_sid`)} and unrecorded.disable_cdrs = 1)`

/** The counts of a row, as a condition on them. Sids are in any case in the platform's tables. */
const ofRow = (table: Counted) => sql`call_counts.thing_sid = ${sql.ref(`${table}.${SIDS[table]}`)}
  and call_counts.account_sid = lower(coalesce(${sql.ref(`${table}.account_sid`)}, ''))`

const lastCall = (table: Counted): RawBuilder<number> => sql`coalesce(
  (select call_counts.last_call_at from switchroom_call_counts as call_counts where ${ofRow(table)}), 0)`
const callsOfDays = (table: Counted): RawBuilder<number> => sql`coalesce(
  (select call_counts.calls_7d from switchroom_call_counts as call_counts where ${ofRow(table)}), 0)`
const COUNTS = { last_call_at: lastCall, calls_7d: callsOfDays }

/** Columns that `withCalls` selects. */
type Selected = { last_call_at: number; calls_7d: number; calls_counted_since: number | null }

/** Adds the calls of rows. `presentCalls` converts them for the API. */
export const withCalls =
  (table: Counted, now = Date.now()) =>
  // biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
  <O>(rows: SelectQueryBuilder<any, any, O>): SelectQueryBuilder<any, any, O & Selected> =>
    rows.select([
      lastCall(table).as('last_call_at'),
      callsOfDays(table).as('calls_7d'),
      sql`case when ${isUnrecorded(table)} then null else ${watched(now)} end`.as(
        'calls_counted_since',
      ),
      // biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
    ]) as SelectQueryBuilder<any, any, O & Selected>

const timeText = (ms: number | null) => (ms ? new Date(Number(ms)).toISOString() : null)

export function presentCalls<R extends Selected>(
  row: R,
  isCounted = true,
): Omit<R, keyof Selected> & LatestCalls {
  const since = isCounted ? timeText(row.calls_counted_since) : null
  return {
    ...row,
    last_call_at: since && timeText(row.last_call_at),
    calls_7d: since === null ? null : Number(row.calls_7d),
    calls_counted_since: since,
  }
}

/** Sort order of a list by its calls; undefined if it is sorted by something else. */
export function byCalls(table: Counted, sort: string | undefined): SortedAs<Selected> | undefined {
  const name = sort?.replace(/^-/, '')
  if (name !== 'last_call_at' && name !== 'calls_7d') return undefined
  return { name, sql: COUNTS[name](table), of: (row) => Number(row[name]) }
}

/** Matches rows without a call for this long, as far as calls are counted. */
export function isUnused(table: Counted, unused: Unused, now = Date.now()): Condition {
  const since = unused === 'ever' ? 0 : (dayOf(now) + 1 - DAYS_OF[unused]) * DAY_MS
  return sql`(${watched(now)} is not null and not ${isUnrecorded(table)} and not exists (
    select 1 from switchroom_call_counts as call_counts
    where ${ofRow(table)} and call_counts.last_call_at >= ${since}))`
}
