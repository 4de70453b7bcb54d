import type { Call } from '@switchroom/contract'
import { LONGEST_S } from '../../audio/read-recording.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import type { Span } from '../../stores/calls/store.ts'
import { lockOf } from './claim.ts'

/** Records come some seconds after their call, and recordings after them. */
const SETTLE_MS = 60_000
/** After a longer time without this server, older calls are left. */
const BACK_MS = 24 * 3_600_000
const PAGE = 500
const MOST_PAGES = 20
const BATCH = 500

type Ended = Call & { call_sid: string }

/** Calls of an account or its application that ended after `from` and until `to`, without those that lasted for hours. */
export async function endedBetween(
  { stores, log }: Pick<Context, 'stores' | 'log'>,
  of: { account_sid: string; application_sid?: string },
  { from, to }: Span,
  isWanted: (call: Ended) => boolean,
): Promise<Ended[]> {
  const ended = new Map<string, Ended>()
  const span = { ...of, from: from - LONGEST_S * 1_000, to }
  for (let page = 0; page < MOST_PAGES; page++) {
    const { data } = await stores.calls.list(span, { limit: PAGE, offset: page * PAGE })
    for (const call of data) {
      const { call_sid, terminated_at, attempted_at } = call
      const at = Date.parse(terminated_at ?? attempted_at)
      if (!call_sid || at <= from || at > to) continue
      const one = { ...call, call_sid }
      if (isWanted(one)) ended.set(call_sid, one)
    }
    if (data.length < PAGE) return [...ended.values()]
  }
  log.warn(of, 'too many calls have ended at once: some are neither transcribed nor scored')
  return [...ended.values()]
}

/**
 * Stores the calls that ended since the last look as waiting, once over all processes; none of before the account wanted
 * it. Those that somebody had transcribed already are left.
 */
export async function lookForCalls(ctx: Context, account_sid: string, isSpent: boolean) {
  const { db } = ctx
  const until = Date.now() - SETTLE_MS
  const row = await db
    .selectFrom('switchroom_transcribing')
    .select('seen_until')
    .where('account_sid', '=', account_sid)
    .executeTakeFirstOrThrow()
  const seen = row.seen_until === null ? null : Number(row.seen_until)
  const from = Math.max(seen ?? Date.now(), until - BACK_MS)
  if (seen !== null && until <= from) return
  const ended =
    seen === null || isSpent
      ? []
      : await endedBetween(
          ctx,
          { account_sid },
          { from, to: until },
          ({ recording_url }) => recording_url !== null,
        )
  await transaction(
    db,
    async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('switchroom_transcribing')
        .set({ seen_until: seen === null ? from : until })
        .where('account_sid', '=', account_sid)
        .where('seen_until', seen === null ? 'is' : '=', seen)
        .executeTakeFirstOrThrow()
      // another process has looked
      if (numUpdatedRows === 0n) return
      for (let i = 0; i < ended.length; i += BATCH)
        await insertWaiting(tx, account_sid, ended.slice(i, i + BATCH))
    },
    { lock: lockOf(account_sid) },
  )
}

async function insertWaiting(db: Db, account_sid: string, ended: readonly Ended[]) {
  const sids = ended.map(({ call_sid }) => call_sid)
  const rows = await db
    .selectFrom('switchroom_transcriptions')
    .select('call_sid')
    .where('account_sid', '=', account_sid)
    .where('call_sid', 'in', sids)
    .execute()
  const known = new Set(rows.map(({ call_sid }) => call_sid))
  await insertMany(
    db,
    'switchroom_transcriptions',
    ended
      .filter(({ call_sid }) => !known.has(call_sid))
      .map(({ call_sid, attempted_at }) => ({
        ...{ account_sid, call_sid, work_sid: '', state: 'waiting' as const, seen_at: null },
        ...{ speech_credential_sid: '', vendor: '', language: '', is_automatic: 1 as const },
        called_at: new Date(attempted_at).toISOString(),
        begun_at: new Date().toISOString(),
        ...{ ended_at: null, message: null, tries: 0 },
      })),
  )
}
