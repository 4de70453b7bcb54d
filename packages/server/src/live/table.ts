import { sql } from 'kysely'
import { nowIn } from '../db/clock.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { every } from './every.ts'
import type { Live } from './live.ts'

/**
 * Live state in a database table, for servers without Redis. Survives restarts and works with many
 * processes.
 */
export function tableLive(db: Db): Live {
  // expired values are invisible at once; their rows are deleted once an hour
  const sweep = every(
    3_600_000,
    () => db.deleteFrom('switchroom_live').where('expires_at', '<', nowIn(db)).execute(),
    // a failed deletion costs a little space until the next one
    { onError: () => undefined },
  )
  const change: Change = (what, work, options) =>
    transaction(db, work, { lock: `live:${what}`, ...options })
  return { ...operations(db, change), close: sweep.stop }
}

/** Runs `work` in a transaction while no other process changes this key, or any count. */
type Change = <T>(
  what: string,
  work: (tx: Db) => Promise<T>,
  options?: typeof UNSYNCED,
) => Promise<T>

const COUNTS = 'counts'

/**
 * For counts of failed tries: a power cut may lift lock-outs. Syncing each to the disk would slow everybody down while
 * many log in. Single counts are synced, as they also guard what may be used once.
 */
const UNSYNCED = { isSynced: false }

const beginning = (prefix: string) =>
  sql<boolean>`${sql.ref('key')} like ${`${prefix.replace(/[|%_]/g, '|$&')}%`} escape '|'`

async function upsert(db: Db, key: string, value: string, ttl_seconds: number) {
  const expires_at = sql<number>`${nowIn(db)} + ${ttl_seconds * 1000}`
  const changed = await db
    .updateTable('switchroom_live')
    .set({ value, expires_at })
    .where('key', '=', key)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return
  await db.insertInto('switchroom_live').values({ key, value, expires_at }).execute()
}

/** Values expire by the database's clock, which all processes share. */
function operations(db: Db, change: Change): Live {
  async function increment(tx: Db, keys: string[], ttl: number) {
    const before = await operations(tx, change).get(...keys)
    const counts = before.map((value) => Number(value ?? 0) + 1)
    for (const [i, key] of keys.entries()) await upsert(tx, key, String(counts[i]), ttl)
    return counts
  }
  return {
    isPlatforms: false,
    within: (tx) => operations(tx, (_, work) => work(tx)),
    async get(...keys) {
      const rows = await db
        .selectFrom('switchroom_live')
        .select(['key', 'value'])
        .where('key', 'in', keys)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowIn(db))]))
        .execute()
      return keys.map((key) => rows.find((r) => r.key === key)?.value)
    },
    set: (key, value, ttl) => change(key, (tx) => upsert(tx, key, value, ttl)),
    async remove(...keys) {
      await db.deleteFrom('switchroom_live').where('key', 'in', keys).execute()
    },
    increment: async (key, ttl) => (await change(COUNTS, (tx) => increment(tx, [key], ttl)))[0]!,
    incrementAll: (keys, ttl) => change(COUNTS, (tx) => increment(tx, keys, ttl), UNSYNCED),
    decrementAll: (keys, { remove = [] } = {}) =>
      change(
        COUNTS,
        async (tx) => {
          await tx
            .updateTable('switchroom_live')
            .set({ value: sql<string>`value - 1` })
            .where('key', 'in', keys)
            .execute()
          if (remove.length > 0)
            await tx.deleteFrom('switchroom_live').where('key', 'in', remove).execute()
        },
        UNSYNCED,
      ),
    addAll: undefined,
    async count(prefix) {
      const { n } = await db
        .selectFrom('switchroom_live')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where(beginning(prefix))
        .executeTakeFirstOrThrow()
      return Number(n)
    },
    async removeAll(prefix) {
      await db.deleteFrom('switchroom_live').where(beginning(prefix)).execute()
    },
    ping: async () => {
      await db.selectFrom('switchroom_live').select('key').limit(1).execute()
    },
    close: async () => undefined,
  }
}
