import type { Call } from '@switchroom/contract'
import { sql } from 'kysely'
import { callKey } from '../../alerts/failures/cause.ts'
import { databaseNow } from '../../db/clock.ts'
import { type Db, kindOf } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { DAY_MS, DAYS, dayOf } from '../../http/latest-calls.ts'
import { forgetDays, sweep } from './sweep.ts'
import { thingsOf } from './things.ts'
import { type Lease, watch } from './watch.ts'

const SLICE_MS = 600_000
/** A call's record has the time when it began, and comes when it ends: the newest are read with each pass. */
const OVERLAP_MS = SLICE_MS
/** Of what came later, one slice of the last hour and some of the last days are looked at with each pass. */
const HOUR_SLICES = 6
const LATE_SLICES = (DAYS * DAY_MS) / SLICE_MS
const LATE_AT_ONCE = 3
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000
const BATCH = 500
/** Calls of one pass, beyond which the next one goes on. */
const MAX_READ = 20_000
/** Letters of a call's key: 66 bits, which tell the calls of ten minutes apart. */
const KEY_LENGTH = 11

/** Of a slice that is not read to its end. */
const UNKNOWN = -1

type Counting = Pick<Context, 'db' | 'stores'>

const sliceOf = (ms: number) => Math.floor(ms / SLICE_MS) * SLICE_MS
const keyOf = (call: Call) => callKey(call).slice(0, KEY_LENGTH)
const keysIn = (text: string) =>
  new Set(
    Array.from({ length: text.length / KEY_LENGTH }, (_, i) =>
      text.slice(i * KEY_LENGTH, (i + 1) * KEY_LENGTH),
    ),
  )

/**
 * Counts the calls of phone numbers, applications and SIP clients, in one process at a time: those that came since the last
 * pass, some of those that came late, and some of those from before counting began, the newest first. Throws
 * `StoreUnavailable` and database errors.
 */
export async function countLatestCalls({ db, stores }: Counting, at?: number) {
  const now = at ?? (await databaseNow(db))
  const firstDay = dayOf(now) + 1 - DAYS
  const begun = {
    ...{ counted_since: sliceOf(now - OVERLAP_MS), read_until: now, first_day: firstDay },
    ...{ is_caught_up: 0 as const, late_slice: 0, swept_to: '' },
  }
  const lease = await watch.take(db, now, at, begun)
  if (!lease) return
  const slices = slicesOf({ db, stores }, lease)
  if (lease.first_day < firstDay) {
    lease.first_day = firstDay
    await watch.whileLeased(db, lease, async (tx) => {
      await watch.note(tx, { first_day: firstDay })
      const oldest = firstDay * DAY_MS
      await tx.deleteFrom('switchroom_call_slices').where('slice', '<', oldest).execute()
    })
  }
  await forgetDays(db, lease)

  const start = sliceOf(Math.min(lease.read_until, now) - OVERLAP_MS)
  for (let from = start; from < now + AHEAD_MS && slices.read() < MAX_READ; from += SLICE_MS) {
    await slices.count(from)
    await watch.whileLeased(db, lease, (tx) =>
      watch.note(tx, { read_until: Math.min(from + SLICE_MS, now) }),
    )
  }
  const late = Array.from({ length: LATE_AT_ONCE }, (_, i) => lease.late_slice + i)
  for (const slice of [(lease.late_slice / LATE_AT_ONCE) % HOUR_SLICES, ...late]) {
    const from = start - (slice + 1) * SLICE_MS
    // until then, what is older is yet to be read
    const isRead = lease.is_caught_up === 1 || from >= lease.counted_since
    if (isRead && dayOf(from) >= lease.first_day && slices.read() < MAX_READ)
      await slices.count(from)
  }
  if (!lease.is_caught_up && slices.read() < MAX_READ) await slices.countBackwards()
  await watch.end(db, lease, now, {
    late_slice: (lease.late_slice + LATE_AT_ONCE) % LATE_SLICES,
    swept_to: await sweep(db, lease),
  })
}

function slicesOf({ db, stores }: Counting, lease: Lease) {
  let read = 0

  /** Counts those of these calls of a slice that are not counted yet. `total`: how many the store has. */
  async function add(
    slice: number,
    calls: AsyncIterable<Call> | Iterable<Call>,
    total: number,
    done?: (tx: Db) => Promise<unknown>,
  ) {
    let text = (await sliceAt(db, slice))?.counted ?? ''
    const known = keysIn(text)
    let fresh: Call[] = []
    const commit = async (isLast: boolean) => {
      const sums = await sumsOf(db, fresh)
      await watch.whileLeased(db, lease, async (tx) => {
        await addSums(tx, sums, dayOf(slice), lease.first_day)
        // what began earlier is not read again
        if (dayOf(slice) >= lease.first_day)
          await saveSlice(tx, { slice, calls: isLast ? total : UNKNOWN, counted: text })
        if (isLast) await done?.(tx)
      })
      fresh = []
    }
    for await (const call of calls) {
      read++
      const key = keyOf(call)
      if (known.has(key)) continue
      known.add(key)
      text += key
      fresh.push(call)
      if (fresh.length === BATCH) await commit(false)
    }
    await commit(true)
  }

  return {
    read: () => read,
    /** Counts the calls of a slice, if the store has others than when it was last read. */
    async count(slice: number) {
      const span = { from: slice, to: slice + SLICE_MS }
      const { total } = await stores.calls.list(span, { limit: 1, offset: 0 })
      const stored = await sliceAt(db, slice)
      if (total !== Number(stored?.calls ?? 0)) await add(slice, stores.calls.each(span), total)
    },
    /** Counts the newest calls from before the time that is counted already. */
    async countBackwards() {
      let [slice, calls]: [number, Call[]] = [lease.counted_since, []]
      const finish = async (isAll: boolean) => {
        await add(slice, calls, calls.length, (tx) =>
          watch.note(tx, { counted_since: slice, is_caught_up: isAll ? 1 : 0 }),
        )
        calls = []
      }
      for await (const call of stores.calls.each({ from: 0, to: lease.counted_since })) {
        const its = sliceOf(Date.parse(call.attempted_at))
        if (its < slice && calls.length > 0) {
          await finish(false)
          if (read >= MAX_READ) return
        }
        slice = its
        calls.push(call)
      }
      await finish(true)
    },
  }
}

const sliceAt = (db: Db, slice: number) =>
  db.selectFrom('switchroom_call_slices').selectAll().where('slice', '=', slice).executeTakeFirst()

async function saveSlice(tx: Db, row: { slice: number; calls: number; counted: string }) {
  await tx.deleteFrom('switchroom_call_slices').where('slice', '=', row.slice).execute()
  await tx.insertInto('switchroom_call_slices').values(row).execute()
}

type Sum = { thing_sid: string; account_sid: string; last_call_at: number; calls: number }

async function sumsOf(db: Db, calls: readonly Call[]): Promise<Sum[]> {
  if (calls.length === 0) return []
  const things = await thingsOf(db, calls)
  const sums = new Map<string, Sum>()
  for (const call of calls) {
    const at = Date.parse(call.attempted_at)
    for (const thing of things(call)) {
      const key = `${thing.thing_sid} ${thing.account_sid}`
      const sum = sums.get(key) ?? { ...thing, last_call_at: at, calls: 0 }
      sums.set(key, sum)
      sum.calls++
      sum.last_call_at = Math.max(sum.last_call_at, at)
    }
  }
  return [...sums.values()]
}

/** Adds calls of one day. Those of the days before `first_day` tell only of the latest call. */
async function addSums(tx: Db, sums: readonly Sum[], day: number, first_day: number) {
  if (sums.length === 0) return
  const isRecent = day >= first_day
  const isMysql = kindOf(tx) === 'mysql'
  const counts = tx
    .insertInto('switchroom_call_counts')
    .values(sums.map(({ calls, ...sum }) => ({ ...sum, calls_7d: isRecent ? calls : 0 })))
  await (isMysql
    ? counts.onDuplicateKeyUpdate({
        last_call_at: sql`greatest(last_call_at, values(last_call_at))`,
        calls_7d: sql`calls_7d + values(calls_7d)`,
      })
    : counts.onConflict((conflict) =>
        conflict.columns(['thing_sid', 'account_sid']).doUpdateSet({
          last_call_at: sql`max(last_call_at, excluded.last_call_at)`,
          calls_7d: sql`calls_7d + excluded.calls_7d`,
        }),
      )
  ).execute()
  if (!isRecent) return
  const days = tx
    .insertInto('switchroom_call_days')
    .values(sums.map(({ last_call_at: _, ...sum }) => ({ ...sum, day })))
  await (isMysql
    ? days.onDuplicateKeyUpdate({ calls: sql`calls + values(calls)` })
    : days.onConflict((conflict) =>
        conflict
          .columns(['day', 'thing_sid', 'account_sid'])
          .doUpdateSet({ calls: sql`calls + excluded.calls` }),
      )
  ).execute()
}
