import { setTimeout } from 'node:timers/promises'
import { t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Following } from '../../http/respond.ts'
import type { Scope } from '../../http/scope.ts'
import { noteReader } from './demand.ts'
import * as events from './queries.ts'

/** Streams that one caller may follow at once, through one process. */
const MAX_STREAMS = 5
const LOOK_MS = 1_000
/** A comment is sent as often, for proxies to keep the connection, and the caller's rights are looked at again. */
const BEAT_MS = 15_000
/** Time a client waits before it reconnects. */
const RETRY_MS = 3_000

const textOf = (row: events.Row) =>
  `id: ${events.idOf(Number(row.seq))}\nevent: ${row.kind}\ndata: ${JSON.stringify(events.sent(row))}\n\n`

/**
 * Server-sent events after `Last-Event-ID`, or from now on without it. Ends when the server stops or the caller's key
 * or session has ended. Throws 429 for a caller who follows too many.
 */
export async function follow(
  ctx: Context,
  scope: Scope,
  filters: events.Filters,
  from: number | undefined,
  following: Following,
): Promise<AsyncIterable<string>> {
  const { db, memory } = ctx
  const caller = scope.user_sid ?? scope.api_key_sid ?? scope.role
  const open = memory.following.get(caller) ?? 0
  if (open >= MAX_STREAMS)
    throw new Failure(
      'too_many',
      t('At most {most} streams of events at once.', { most: MAX_STREAMS }),
      {
        retry_after: 60,
      },
    )
  await noteReader(db, scope, Date.now())
  const first = from ?? (await events.headSeq(db))
  return counted(memory.following, caller, stream(ctx, scope, filters, first, following))
}

/** Counts a stream while somebody reads it. */
async function* counted(
  following: Map<string, number>,
  caller: string,
  lines: AsyncIterable<string>,
) {
  const count = (by: number) => {
    const n = (following.get(caller) ?? 0) + by
    if (n > 0) following.set(caller, n)
    else following.delete(caller)
  }
  count(1)
  try {
    yield* lines
  } finally {
    count(-1)
  }
}

const isAllowed = (verify: Following['verify']) =>
  verify().then(
    () => true,
    () => false,
  )

async function* stream(
  { db, health }: Context,
  scope: Scope,
  filters: events.Filters,
  first: number,
  { verify, left }: Following,
) {
  yield `retry: ${RETRY_MS}\n\n`
  let seq = first
  let beaten = performance.now()
  while (!health.draining && !left.aborted) {
    // the client comes again, and is refused
    if (!(await isAllowed(verify))) return
    const head = await events.headSeq(db)
    const rows = head > seq ? await events.after(db, scope, filters, seq) : []
    for (const row of rows) yield textOf(row)
    seq = events.readUntil(rows, filters, Math.max(seq, head))
    if (performance.now() - beaten >= BEAT_MS) {
      yield ': still here\n\n'
      await noteReader(db, scope, Date.now())
      beaten = performance.now()
    }
    if (rows.length < filters.limit)
      await setTimeout(LOOK_MS, undefined, { signal: left }).catch(() => undefined)
  }
}
