import { REROUTE_CALLS, type Rerouted } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { CallFilter } from '../../stores/calls/store.ts'
import { inboxOf, outcomesOf } from './outcomes.ts'
import { type Row, readRerouted } from './queries.ts'

/** Failures whose calls are counted in one pass, the longest watched first. */
const MOST = 50
/** Of the calls that the other carrier gets, it may refuse less than this part. */
const REFUSED_PART = 0.2
const AHEAD_MS = 60_000

/** What calls have shown since. */
function judged(counted: Omit<Rerouted, 'worked'>): Rerouted {
  const { calls, answered, refused, still } = counted
  if (still >= REROUTE_CALLS) return { ...counted, worked: false }
  if (calls < REROUTE_CALLS) return { ...counted, worked: null }
  return { ...counted, worked: answered > 0 && refused < calls * REFUSED_PART }
}

/**
 * Counts the calls of failures since they were routed to another carrier. Those that it completes are resolved; where it does
 * not, they are open again. Writes by `commit`.
 */
export async function watchReroutes(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  now: number,
  commit: (work: (tx: Db) => Promise<unknown>) => Promise<unknown>,
) {
  const rows = await db
    .selectFrom('switchroom_failures')
    .selectAll()
    .where('rerouted', 'like', '%"worked":null%')
    .where('state', 'in', ['open', 'returned'])
    .orderBy('failure_sid')
    .limit(MOST)
    .execute()
  for (const row of rows) {
    const next = await count(stores.calls, row, now)
    const json = JSON.stringify(next)
    if (json === row.rerouted) continue
    await commit((tx) =>
      tx
        .updateTable('switchroom_failures')
        .set({
          rerouted: json,
          ...(next.worked && { state: 'mended' as const, mended_at: new Date(now).toISOString() }),
        })
        .where('failure_sid', '=', row.failure_sid)
        .where('rerouted', '=', row.rerouted)
        .execute(),
    )
  }
}

async function count(calls: Context['stores']['calls'], row: Row, now: number): Promise<Rerouted> {
  const { to, since } = readRerouted(row.rerouted)!
  const filter: CallFilter = {
    ...inboxOf(row),
    ...{ direction: 'outbound', prefix: row.prefix!.replace('+', '') },
    ...{ from: Date.parse(since), to: now + AHEAD_MS },
  }
  const [there, here] = await Promise.all([
    outcomesOf(calls, { ...filter, trunk: to }, row.sip_status),
    outcomesOf(calls, { ...filter, trunk: row.trunk! }, row.sip_status),
  ])
  return judged({ to, since, ...there, still: here.refused })
}
