import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import { nowIn } from '../db/clock.ts'
import type { ReadReplica } from '../db/listing-memory.ts'
import { concerns } from '../db/listing-writes.ts'
import type { Db } from '../db/open.ts'
import { ANYTHING, type Write, type WriteListener } from '../db/writes.ts'
import { every } from './every.ts'

const PULSE_MS = 500
const LOOK_MS = 20
/** A replica that is further behind is not asked. */
const MAX_BEHIND_MS = 5_000
/** Most kinds of writes that are distinguished. */
const MAX_WRITES = 1_000
const DAY_MS = 86_400_000

export type Replica = {
  read: ReadReplica
  /** Lag behind the database at the last look, or the reason it is not used. Undefined before the first. */
  state: () => { behind_ms: number } | { problem: unknown } | undefined
  close: () => Promise<void>
}

/**
 * Follows how far a replica of the database is. Every half second this process writes a row to the database, and polls
 * until the replica has it: then it has everything written before. `heard` resolves once earlier writes of other
 * processes are known here.
 */
export function followReplica(
  /** A connection of its own, so that it waits for nobody. */
  database: Db,
  replica: Db,
  listeners: Set<WriteListener>,
  heard: () => Promise<void>,
): Replica {
  const process_sid = randomUUID()
  let beats = 0
  /** By the clock of this process. */
  let hasAllUntil: number | undefined
  let state: ReturnType<Replica['state']>
  /** Writes since the replica's last known state, by table. */
  let later = new Map<string, { write: Write; at: number }>()

  const note: WriteListener = (writes) => {
    const at = performance.now()
    if (later.size > MAX_WRITES) later = new Map([['', { write: ANYTHING, at }]])
    for (const write of writes)
      later.set(`${write.change} ${write.table} ${write.columns}`, { write, at })
  }
  listeners.add(note)

  const beat = (n: number) =>
    database
      .insertInto('switchroom_replica_beats')
      .values({ process_sid, beats: n, beaten_at: nowIn(database) })
      .onDuplicateKeyUpdate({ beats: n, beaten_at: nowIn(database) })
      .execute()
  const beatsThere = async () =>
    (
      await replica
        .selectFrom('switchroom_replica_beats')
        .select('beats')
        .where('process_sid', '=', process_sid)
        .executeTakeFirst()
    )?.beats ?? 0

  async function look() {
    const at = performance.now()
    const n = ++beats
    await Promise.all([beat(n), heard()])
    while (Number(await beatsThere()) < n) {
      if (performance.now() - at > MAX_BEHIND_MS)
        throw new Error(`the replica is more than ${MAX_BEHIND_MS / 1_000} seconds behind`)
      await setTimeout(LOOK_MS)
    }
    state = { behind_ms: performance.now() - at }
    hasAllUntil = at
    for (const [kind, write] of later) if (write.at < at) later.delete(kind)
  }
  const lose = (problem: unknown) => {
    hasAllUntil = undefined
    state = { problem }
  }
  const looking = every(PULSE_MS, () => look().catch(lose), { onError: lose })
  const sweeping = every(
    DAY_MS,
    () =>
      database
        .deleteFrom('switchroom_replica_beats')
        .where('beaten_at', '<', sql<number>`${nowIn(database)} - ${DAY_MS}`)
        .execute(),
    // a row of each process that ended without a word
    { onError: () => undefined, atOnce: true },
  )

  function isCurrent({ sql }: CompiledQuery) {
    if (hasAllUntil === undefined || performance.now() - hasAllUntil > MAX_BEHIND_MS) return false
    const words = new Set(sql.match(/\w+/g))
    for (const { write, at } of later.values())
      if (at >= hasAllUntil && concerns(write, words)) return false
    return true
  }

  return {
    read(query) {
      if (!isCurrent(query)) return undefined
      return replica.executeQuery(query).then(
        ({ rows }) => rows,
        (problem) => {
          lose(problem)
          return undefined
        },
      )
    },
    state: () => state,
    async close() {
      listeners.delete(note)
      await Promise.all([looking.stop(), sweeping.stop()])
      await database
        .deleteFrom('switchroom_replica_beats')
        .where('process_sid', '=', process_sid)
        .execute()
        .catch(() => undefined)
      await Promise.all([database.destroy(), replica.destroy()])
    },
  }
}
