import type { LatestCalls, Unused } from '@switchroom/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { SortedAs, Unjoined } from '../db/listing-query.ts'
import type { Db, Tables } from '../db/open.ts'
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
const ofRow = (
  table: Counted,
) => sql<boolean>`call_counts.thing_sid = ${sql.ref(`${table}.${SIDS[table]}`)}
  and call_counts.account_sid = lower(coalesce(${sql.ref(`${table}.account_sid`)}, ''))`

/** Sort value of a list: a count, 0 if there is none. */
const countOf = (
  table: Counted,
  name: 'last_call_at' | 'calls_7d',
): RawBuilder<number> => sql`coalesce(
  (select call_counts.${sql.ref(name)} from switchroom_call_counts as call_counts where ${ofRow(table)}), 0)`

/** Columns that `withCalls` selects. */
type Selected = {
  last_call_at: number | null
  calls_7d: number | null
  calls_counted_since: number | null
}

/** Adds the calls of rows. `presentCalls` converts them for the API. */
export const withCalls =
  (table: Counted, now = Date.now()) =>
  // biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
  <O>(rows: SelectQueryBuilder<any, any, O>): SelectQueryBuilder<any, any, O & Selected> =>
    rows
      .leftJoin('switchroom_call_counts as call_counts', (join) => join.on(ofRow(table)))
      .select([
        'call_counts.last_call_at',
        'call_counts.calls_7d',
        sql`case when ${isUnrecorded(table)} then null else ${watched(now)} end`.as(
          'calls_counted_since',
        ),
        // biome-ignore lint/suspicious/noExplicitAny: whatever else it selects is its own business
      ]) as SelectQueryBuilder<any, any, O & Selected>

/** Up to this many counts are looked up; more are joined. */
const MOST_COUNTS = 20_000

/**
 * Adds the calls to rows of a whole list that were read without them, for all of them in three statements; in one where
 * none are counted. Undefined if there are too many counts to know them all.
 */
export async function knownCalls(db: Db, table: Counted, now = Date.now()) {
  const { rows } = await sql<{ since: number | null }>`select ${watched(now)} as since`.execute(db)
  const since = rows[0]?.since ?? null
  const counts =
    since === null
      ? []
      : await db
          .selectFrom('switchroom_call_counts')
          .selectAll()
          .limit(MOST_COUNTS + 1)
          .execute()
  if (counts.length > MOST_COUNTS) return undefined
  const unrecorded =
    since === null
      ? []
      : await db
          .selectFrom('accounts')
          .select('account_sid')
          .where('disable_cdrs', '=', 1)
          .execute()
  const key = (sid: unknown, account: unknown) => `${sid} ${account ?? ''}`.toLowerCase()
  const byThing = new Map(counts.map((one) => [key(one.thing_sid, one.account_sid), one]))
  const without = new Set(unrecorded.map(({ account_sid }) => account_sid.toLowerCase()))
  return (row: object) => {
    const account = Reflect.get(row, 'account_sid') as string | null
    const count = byThing.get(key(Reflect.get(row, SIDS[table]), account))
    const calls: Selected = {
      last_call_at: count?.last_call_at ?? null,
      calls_7d: count?.calls_7d ?? null,
      calls_counted_since: without.has(account?.toLowerCase() ?? '') ? null : since,
    }
    Object.assign(row, calls)
  }
}

/** `unjoined` of a list that joins nothing but calls. */
export const withoutCalls =
  // biome-ignore lint/suspicious/noExplicitAny: whatever it selects is its own business
    <O>(db: Db, table: Counted, rows: SelectQueryBuilder<any, any, O>) =>
    async (): Promise<Unjoined<O & Selected> | undefined> => {
      const add = await knownCalls(db, table)
      return add && { rows, complete: (read) => read.forEach(add) }
    }

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
  return { name, sql: countOf(table, name), of: (row) => Number(row[name]) }
}

/** Matches rows without a call for this long, as far as calls are counted. */
export function isUnused(table: Counted, unused: Unused, now = Date.now()): Condition {
  const since = unused === 'ever' ? 0 : (dayOf(now) + 1 - DAYS_OF[unused]) * DAY_MS
  return sql`(${watched(now)} is not null and not ${isUnrecorded(table)} and not exists (
    select 1 from switchroom_call_counts as call_counts
    where ${ofRow(table)} and call_counts.last_call_at >= ${since}))`
}
