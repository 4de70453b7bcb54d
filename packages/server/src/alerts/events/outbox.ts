import { randomUUID } from 'node:crypto'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { wants, wishes } from './demand.ts'
import type { Draft } from './draft.ts'
import { watch } from './watch.ts'

/**
 * Adds those that somebody wants to the end of the sequence, and to what their webhooks are sent. Call in a transaction that holds the lease: nobody else adds then, so that
 * whoever has read up to an event has missed none before it.
 */
export async function addEvents(tx: Db, drafts: readonly Draft[], now: number) {
  if (drafts.length === 0) return
  // as they are in this transaction: whoever came meanwhile must not miss what happened since
  const all = await wishes(tx, now)
  const wanted = drafts.filter((draft) => all.some((wish) => wants(wish, draft)))
  if (wanted.length === 0) return
  const row = await tx.selectFrom('switchroom_event_watch').select('seq').executeTakeFirstOrThrow()
  const first = Number(row.seq) + 1
  const events = wanted.map(({ data, thing, ...rest }, i) => ({
    seq: first + i,
    ...rest,
    thing: thing.slice(0, 200),
    added_at: now,
    data: JSON.stringify(data),
  }))
  await insertMany(tx, 'switchroom_events', events)
  const deliveries = wanted.flatMap((draft, i) =>
    all
      .filter((wish) => wish.event_subscription_sid !== undefined && wants(wish, draft))
      .map(({ event_subscription_sid }) => newDelivery(event_subscription_sid!, events[i]!, now)),
  )
  await insertMany(tx, 'switchroom_event_deliveries', deliveries)
  await watch.note(tx, { seq: first + events.length - 1 })
}

/** An event that a webhook is to be sent. */
export const newDelivery = (
  event_subscription_sid: string,
  { seq, thing }: { seq: number; thing: string },
  now: number,
) => ({
  ...{ event_delivery_sid: randomUUID(), event_subscription_sid, seq, thing },
  ...{ state: 'waiting' as const, attempts: 0, next_at: now, added_at: now },
  ...{ tried_at: null, status: null, error: null, duration_ms: null },
})
