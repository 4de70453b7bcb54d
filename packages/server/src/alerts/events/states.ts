import { hash } from 'node:crypto'
import type { Db } from '../../db/open.ts'

/** Something that lasts: an issue of an inbox, or a lost registration. */
export type State = { owner: string; key: string; data: object }

const LOOKED = 'looked'
const digest = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url')
const keyOf = ({ owner, key }: Pick<State, 'owner' | 'key'>) => digest(owner, 'state', key)
const lookKey = (owner: string) => digest(owner, LOOKED)

/** Time at which each of these was last checked. */
export async function lookedAt(db: Db, owners: readonly string[]) {
  const keys = new Map(owners.map((owner) => [lookKey(owner), owner]))
  const rows = await db
    .selectFrom('switchroom_event_states')
    .select(['state_key', 'seen_at'])
    .where('state_key', 'in', [...keys.keys(), ''])
    .execute()
  return new Map(rows.map((row) => [keys.get(row.state_key)!, Number(row.seen_at)]))
}

/**
 * Stores the current states. Resolves to those that have begun and ended since the last look; none at the first look,
 * when all of them are old.
 */
export async function compare(tx: Db, owner: string, lasting: readonly State[], now: number) {
  const stored = await tx
    .selectFrom('switchroom_event_states')
    .selectAll()
    .where('owner', '=', owner)
    .execute()
  const look = lookKey(owner)
  const isFirst = !stored.some((row) => row.state_key === look)
  const before = new Map(stored.flatMap((row) => (row.data === null ? [] : [[row.state_key, row]])))
  const current = new Map(lasting.map((state) => [keyOf(state), state]))
  const begun = [...current].filter(([state_key]) => !before.has(state_key))
  const ended = [...before].filter(([state_key]) => !current.has(state_key))
  for (const [state_key, { data }] of begun)
    await tx
      .insertInto('switchroom_event_states')
      .values({ state_key, owner, data: JSON.stringify(data), seen_at: now })
      .execute()
  await tx
    .deleteFrom('switchroom_event_states')
    .where('state_key', 'in', [look, ...ended.map(([state_key]) => state_key)])
    .execute()
  await tx
    .insertInto('switchroom_event_states')
    .values({ state_key: look, owner, data: null, seen_at: now })
    .execute()
  return {
    begun: isFirst ? [] : begun.map(([, { data }]) => data),
    ended: isFirst ? [] : ended.map(([, { data }]): object => JSON.parse(data!)),
  }
}

/** Deletes the states of inboxes that nobody has wanted for a day. */
export async function forgetStates(db: Db, before: number) {
  const old = await db
    .selectFrom('switchroom_event_states')
    .select('owner')
    .where('data', 'is', null)
    .where('seen_at', '<', before)
    .limit(100)
    .execute()
  if (old.length > 0)
    await db
      .deleteFrom('switchroom_event_states')
      .where(
        'owner',
        'in',
        old.map(({ owner }) => owner),
      )
      .execute()
}
