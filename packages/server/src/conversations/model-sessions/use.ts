import { createHash } from 'node:crypto'
import { type Call, NO_TRACE } from '@switchroom/contract'
import { sql } from 'kysely'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import type { VersionsOf } from '../../stores/voice/store.ts'
import { talkOf } from '../../talk/talk.ts'
import { type CallKey, found, toldOf } from './queries.ts'
import { secondsOf } from './seconds.ts'
import { turnsOf } from './turns.ts'

const USE = 'switchroom_model_use'
const HOURS = 'switchroom_model_hours'
const MAX_SID = 128
/** How long after a call its trace may come. */
const TRACE_MS = 120_000

type Use = Tables[typeof USE]

/** Tokens, time and characters of a call's model sessions. Undefined for a call without events; `late` while its trace may still come. */
export async function readUse(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  versionsOf: VersionsOf,
  { key, call, now }: { key: CallKey; call: Call; now: number },
): Promise<Use | 'late' | undefined> {
  const told = await toldOf(db, key, 'keep')
  if (told.length === 0) return undefined
  const trace = isTraced(call) ? await stores.traces.find(call.trace_id!) : undefined
  if (!trace && mayCome(call, now)) return 'late'
  const { vendor, model, tokens, characters } = turnsOf(told)
  const tag = (trace && talkOf(trace)?.tag) ?? {}
  const [version = null] = await versionsOf([{ call, tag }])
  const sid = call.application_sid ?? ''
  return {
    ...key,
    began_at: Date.parse(call.attempted_at),
    application_sid: sid.length > MAX_SID ? '' : sid,
    ...{ version, vendor, model, model_name: model?.toLowerCase() ?? '' },
    ...(tokens ?? { input: null, cached: null, output: null }),
    ...{ seconds: secondsOf(trace, told), characters },
  }
}

const isTraced = ({ trace_id }: Call) => trace_id !== null && trace_id !== NO_TRACE

const mayCome = (call: Call, now: number) =>
  isTraced(call) && now - Date.parse(call.terminated_at ?? call.attempted_at) < TRACE_MS

/**
 * Counts a call as all that came until `seen_at` tells, in place of how it was counted before, and marks it as found.
 * Does nothing if another process has done it, or more came meanwhile.
 */
export const countUse = (db: Db, key: CallKey & { seen_at: number }, use: Use | undefined) =>
  transaction(db, async (tx) => {
    // first, so that of two processes one does it
    const { numUpdatedRows } = await found(tx, key)
    if (numUpdatedRows === 0n || !use) return
    const { account_sid, call_sid } = use
    const earlier = await tx
      .selectFrom(USE)
      .selectAll()
      .where('account_sid', '=', account_sid)
      .where('call_sid', '=', call_sid)
      .executeTakeFirst()
    if (earlier) {
      await add(tx, earlier, -1)
      await tx
        .deleteFrom(USE)
        .where('account_sid', '=', account_sid)
        .where('call_sid', '=', call_sid)
        .execute()
    }
    // the version is what it was when the call was counted first
    const row = earlier ? { ...use, version: earlier.version } : use
    await tx.insertInto(USE).values(row).execute()
    await add(tx, row, 1)
  })

/** Adds a call to the sums of its hour, or takes it away. */
async function add(tx: Db, use: Use, times: 1 | -1) {
  const { call_sid: _, began_at, model_name: __, ...columns } = use
  const { account_sid, application_sid, version, vendor, model, input, seconds, characters } = use
  const differs = [
    ...[application_sid, version, vendor, model],
    // so that all calls of a row have a price, or none
    ...[input === null, Number(seconds) > 0, Number(characters) > 0],
  ]
  const kind = createHash('sha256').update(JSON.stringify(differs)).digest('hex')
  const at = { account_sid, hour: Math.floor(Number(began_at) / HOUR_MS) * HOUR_MS, kind }
  const none = (n: number | null) => (n === null ? null : 0)
  const { cached, output } = columns
  const zero = { input: none(input), cached: none(cached), output: none(output) }
  await tx
    .insertInto(HOURS)
    .values({ ...columns, ...at, ...zero, calls: 0, seconds: 0, characters: 0 })
    .$call(skipExisting(tx))
    .execute()
  const plus = (column: 'input' | 'cached' | 'output' | 'seconds' | 'characters') =>
    sql<number>`${sql.ref(column)} + ${Number(use[column] ?? 0) * times}`
  await tx
    .updateTable(HOURS)
    .set({
      calls: sql`calls + ${times}`,
      ...{ input: plus('input'), cached: plus('cached'), output: plus('output') },
      ...{ seconds: plus('seconds'), characters: plus('characters') },
    })
    .where((eb) => eb.and(at))
    .execute()
  if (times < 0)
    await tx
      .deleteFrom(HOURS)
      .where((eb) => eb.and(at))
      .where('calls', '=', 0)
      .execute()
}
