import { createHash, randomBytes } from 'node:crypto'
import type { ModelSessions, RefusedEvent, RefusedEvents, WordsKept } from '@switchroom/contract'
import { sql } from 'kysely'
import { pricesIn } from '../../calls/model-use/prices.ts'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Scope } from '../../http/scope.ts'
import { below, ownedBy } from '../../http/tenancy.ts'
import { type Part, partWithoutWords } from './parts.ts'
import type { Told } from './turns.ts'

const TABLE = 'switchroom_model_sessions'
const PREFIX = 'model_'
const DAY_MS = 86_400_000
const REFUSALS_DAYS = 7
/** Calls deleted at once. */
const BATCH = 200

export type CallKey = { account_sid: string; call_sid: string }
const at = ({ account_sid, call_sid }: CallKey) => ({ account_sid, call_sid })

/** A secret of 256 random bits, which needs no slow hash. */
export const newSecret = () => `${PREFIX}${randomBytes(32).toString('base64url')}`
export const secretDigest = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** The stored settings; undefined if there are none. Look up the account within the caller's scope first. */
export const stored = (db: Db, account_sid: string) =>
  db.selectFrom(TABLE).selectAll().where('account_sid', '=', account_sid).executeTakeFirst()

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Look up the account within the caller's scope first. */
export async function refusedOf(db: Db, account_sid: string): Promise<RefusedEvents['refused']> {
  const rows = await db
    .selectFrom('switchroom_model_refusals')
    .select((eb) => ['reason', eb.fn.sum('count').as('count'), eb.fn.max('last_at').as('last_at')])
    .where('account_sid', '=', account_sid)
    .where('day', '>', dayOf(Date.now() - REFUSALS_DAYS * DAY_MS))
    .groupBy('reason')
    .execute()
  return rows
    .map(({ reason, count, last_at }) => ({ reason, count: Number(count), last_at }))
    .sort((a, b) => b.count - a.count)
}

/** Settings of an account, without their address. */
export async function shown(db: Db, account_sid: string): Promise<Omit<ModelSessions, 'address'>> {
  const row = await stored(db, account_sid)
  return {
    open_since: row?.open_since ?? null,
    currency: row?.currency ?? 'USD',
    prices: pricesIn(row),
  }
}

/** Look up the account within the caller's scope first. */
export const insert = (db: Db, account_sid: string) =>
  db
    .insertInto(TABLE)
    .values({ account_sid, token_digest: null, open_since: null, currency: 'USD', prices: '[]' })
    .$call(skipExisting(db))
    .execute()

export const update = (
  db: Db,
  scope: Scope,
  account_sid: string,
  change: Partial<Omit<Tables[typeof TABLE], 'account_sid'>>,
) =>
  db
    .updateTable(TABLE)
    .set(change)
    .where('account_sid', '=', account_sid)
    .where(below(`${TABLE}.account_sid`, 'accounts', ownedBy('accounts', scope)))
    .execute()

/** Call in a transaction. */
export async function removeOfAccount(db: Db, { account_sid }: { account_sid: string }) {
  for (const table of [
    TABLE,
    'switchroom_model_calls',
    'switchroom_model_events',
    'switchroom_model_refusals',
    'switchroom_model_use',
    'switchroom_model_hours',
  ] as const)
    await db.deleteFrom(table).where('account_sid', '=', account_sid).execute()
}

/** Secrets by which a request proves to come from an account; undefined if it takes no events. */
export const opened = (db: Db, account_sid: string) =>
  db
    .selectFrom(TABLE)
    .innerJoin('accounts', 'accounts.account_sid', `${TABLE}.account_sid`)
    .select([`${TABLE}.account_sid`, 'token_digest', 'accounts.webhook_secret'])
    .where(`${TABLE}.account_sid`, '=', account_sid)
    .where('token_digest', 'is not', null)
    .executeTakeFirst()

export async function noteRefusal(db: Db, account_sid: string, reason: RefusedEvent) {
  const now = Date.now()
  const row = { account_sid, day: dayOf(now), reason }
  const last_at = new Date(now).toISOString()
  await transaction(db, async (tx) => {
    await tx
      .insertInto('switchroom_model_refusals')
      .values({ ...row, count: 0, last_at })
      .$call(skipExisting(tx))
      .execute()
    await tx
      .updateTable('switchroom_model_refusals')
      .set({ count: sql`count + 1`, last_at })
      .where((eb) => eb.and(row))
      .execute()
  })
}

/** A call that events came for; undefined before the first. */
export const callOf = (db: Db, key: CallKey) =>
  db
    .selectFrom('switchroom_model_calls')
    .selectAll()
    .where((eb) => eb.and(at(key)))
    .executeTakeFirst()

/** Remembers that events of this call are taken now. */
export async function noteCall(db: Db, key: CallKey, now: number) {
  await db
    .insertInto('switchroom_model_calls')
    .values({ ...at(key), events: 0, checked_at: now, seen_at: now, is_found: 1 })
    .$call(skipExisting(db))
    .execute()
  await db
    .updateTable('switchroom_model_calls')
    .set({ checked_at: now })
    .where((eb) => eb.and(at(key)))
    .execute()
}

export type NewEvent = CallKey & {
  /** `name`: its digest. `unless`: those of the same event, if it came before. */
  name: string
  unless: readonly string[]
  at: number
  parts: readonly Part[]
}

/** Stores an event, unless it is there or the call has as many as it may. */
export const keep = (db: Db, { name, unless, at: time, parts, ...key }: NewEvent, max: number) =>
  transaction(db, async (tx): Promise<'kept' | 'double' | 'too_many'> => {
    // first, so that two of a call wait for each other
    const { numUpdatedRows } = await tx
      .updateTable('switchroom_model_calls')
      .set({ events: sql`events + 1`, seen_at: time, is_found: 0 })
      .where((eb) => eb.and(at(key)))
      .where('events', '<', max)
      .executeTakeFirstOrThrow()
    const known = await tx
      .selectFrom('switchroom_model_events')
      .select('event')
      .where((eb) => eb.and(at(key)))
      .where('event', 'in', [name, ...unless])
      .executeTakeFirst()
    if (known) {
      if (numUpdatedRows > 0n)
        await tx
          .updateTable('switchroom_model_calls')
          .set({ events: sql`events - 1` })
          .where((eb) => eb.and(at(key)))
          .execute()
      return 'double'
    }
    if (numUpdatedRows === 0n) return 'too_many'
    const { events } = await tx
      .selectFrom('switchroom_model_calls')
      .select('events')
      .where((eb) => eb.and(at(key)))
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('switchroom_model_events')
      .values({ ...at(key), event: name, number: events, at: time, parts: JSON.stringify(parts) })
      .execute()
    return 'kept'
  })

/** Contents of the events of a call, as the account's setting leaves them, in order of arrival. */
export async function toldOf(db: Db, key: CallKey, policy: WordsKept): Promise<Told[]> {
  const rows = await db
    .selectFrom('switchroom_model_events')
    .select(['at', 'parts'])
    .where((eb) => eb.and(at(key)))
    .orderBy('number')
    .execute()
  return rows.map(({ at: time, parts }) => ({
    at: Number(time),
    // kept before the setting that holds now
    parts: JSON.parse(parts).map((part: Part) =>
      policy === 'keep' ? part : partWithoutWords(part, policy),
    ),
  }))
}

/** Calls whose words of before this time cannot be searched yet. */
export const unfound = (db: Db, before: number) =>
  db
    .selectFrom('switchroom_model_calls')
    .select(['account_sid', 'call_sid', 'seen_at'])
    .where('is_found', '=', 0)
    .where('seen_at', '<', before)
    .orderBy('seen_at')
    .limit(BATCH)
    .execute()

/** Marks a call as searchable by all that came until then. */
export const found = (db: Db, { seen_at, ...key }: CallKey & { seen_at: number }) =>
  db
    .updateTable('switchroom_model_calls')
    .set({ is_found: 1 })
    .where((eb) => eb.and(at(key)))
    .where('seen_at', '=', seen_at)
    .where('is_found', '=', 0)
    .executeTakeFirstOrThrow()

/** Deletes events of calls that had the last one before this time, and old counts. */
export async function forgetBefore(db: Db, time: number) {
  await db
    .deleteFrom('switchroom_model_refusals')
    .where('day', '<', dayOf(Date.now() - REFUSALS_DAYS * DAY_MS))
    .execute()
  for (;;) {
    const old = await db
      .selectFrom('switchroom_model_calls')
      .select(['account_sid', 'call_sid'])
      .where('seen_at', '<', time)
      .limit(BATCH)
      .execute()
    for (const key of old)
      await transaction(db, async (tx) => {
        for (const table of [
          'switchroom_model_events',
          'switchroom_model_calls',
          'switchroom_model_use',
        ] as const)
          await tx
            .deleteFrom(table)
            .where((eb) => eb.and(at(key)))
            .execute()
      })
    if (old.length < BATCH) break
  }
  await db.deleteFrom('switchroom_model_hours').where('hour', '<', time).execute()
}
