import { type Call, EVENT_DATA } from '@switchroom/contract'
import { batchesFrom } from '../../db/batches.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { thingOfCall } from '../../tenants/event-notes.ts'
import { callKey } from '../failures/cause.ts'
import { isWanted, type Wish } from './demand.ts'
import type { Draft } from './draft.ts'
import { addEvents } from './outbox.ts'
import { type Lease, watch } from './watch.ts'

const SLICE_MS = 600_000
/** A call's record has the time when it began, and comes when it ends: the newest are read with each pass. */
const OVERLAP_MS = SLICE_MS
/** Of longer calls, one slice of the last hour and one of the last day are read with each pass. */
const HOUR_SLICES = 6
export const DAY_SLICES = 144
const DAY_MS = 24 * HOUR_MS
/** Clocks of components may be ahead. */
const AHEAD_MS = 60_000
/** Calls of one pass, beyond which the next one goes on. */
const MAX_READ = 20_000
/** Beyond so many owners the calls of all are read, and those that nobody wants are left. */
const MOST_OWNERS = 20

type Gathering = Pick<Context, 'db' | 'stores'>

/** Adds the calls that have ended since the last look. A call is added once, however often it is read. */
export async function gatherCalls(
  { db, stores }: Gathering,
  lease: Lease,
  all: readonly Wish[],
  now: number,
) {
  const wishes = all.filter(({ kinds }) => kinds.includes('call.ended'))
  if (wishes.length === 0) return
  let read = 0
  const gather = async (span: Span) => {
    for (const owner of ownersOf(wishes))
      for await (const batch of batchesFrom(stores.calls.each({ ...owner, ...span }))) {
        await add(db, lease, wishes, batch, now)
        read += batch.length
        if (read >= MAX_READ) return
      }
  }
  const since = Math.min(...wishes.map((wish) => wish.since))
  const start = Math.max(Math.min(lease.read_until, now), now - DAY_MS, since)
  const end = now + AHEAD_MS
  for (let from = start - OVERLAP_MS; from < end && read < MAX_READ; from += SLICE_MS) {
    const to = Math.min(from + SLICE_MS, end)
    await gather({ from, to })
    await watch.whileLeased(db, lease, (tx) => watch.note(tx, { read_until: Math.min(to, now) }))
  }
  for (const slice of [lease.late_slice % HOUR_SLICES, lease.late_slice]) {
    const from = start - OVERLAP_MS - (slice + 1) * SLICE_MS
    if (read < MAX_READ) await gather({ from, to: from + SLICE_MS })
  }
  // what is read again is still there
  const oldest = start - OVERLAP_MS - (DAY_SLICES + 1) * SLICE_MS
  await db.deleteFrom('switchroom_event_calls').where('attempted_at', '<', oldest).execute()
}

function ownersOf(wishes: readonly Wish[]): Owner[] {
  const owners = new Map(wishes.map((wish) => [wish.owner, wish]))
  if (owners.has('') || owners.size > MOST_OWNERS) return [{}]
  return [...owners.values()].map(({ owner, is }) =>
    is === 'account' ? { account_sid: owner } : { service_provider_sid: owner },
  )
}

async function add(
  db: Db,
  lease: Lease,
  wishes: readonly Wish[],
  calls: readonly Call[],
  now: number,
) {
  const found = new Map(calls.map((call) => [callKey(call), call]))
  const known = await db
    .selectFrom('switchroom_event_calls')
    .select('call_key')
    .where('call_key', 'in', [...found.keys()])
    .execute()
  for (const { call_key } of known) found.delete(call_key)
  if (found.size === 0) return
  const providerOf = await providersOf(db, [...found.values()])
  const ended = [...found].flatMap(([call_key, call]) => {
    const draft = draftOf(call, providerOf)
    return draft && isWanted(wishes, draft) ? [{ call_key, call, draft }] : []
  })
  if (ended.length === 0) return
  // newest first as they are read
  const drafts = ended
    .map(({ draft }) => draft)
    .sort((a, b) => (a.happened_at < b.happened_at ? -1 : 1))
  await watch.whileLeased(db, lease, async (tx) => {
    await insertMany(
      tx,
      'switchroom_event_calls',
      ended.map(({ call_key, call }) => ({
        call_key,
        attempted_at: Date.parse(call.attempted_at),
      })),
    )
    await addEvents(tx, drafts, now)
  })
}

/** The provider that each account has now. */
async function providersOf(db: Db, calls: readonly Call[]) {
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', 'in', ['', ...new Set(calls.flatMap((call) => call.account_sid ?? []))])
    .execute()
  return new Map(rows.map((row) => [row.account_sid, row.service_provider_sid]))
}

function draftOf(call: Call, providerOf: Map<string, string>): Draft | undefined {
  const service_provider_sid = providerOf.get(call.account_sid ?? '')
  if (service_provider_sid === undefined) return undefined
  return {
    kind: 'call.ended',
    thing: thingOfCall(call.call_sid ?? call.sip_callid),
    account_sid: call.account_sid,
    service_provider_sid,
    happened_at: new Date(call.terminated_at ?? call.attempted_at).toISOString(),
    data: EVENT_DATA['call.ended'].parse(call),
  }
}
