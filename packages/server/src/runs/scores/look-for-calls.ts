import { createHash } from 'node:crypto'
import { endedBetween } from '../../conversations/transcriptions/ended-calls.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import * as scores from './queries.ts'
import { type Watch, watch } from './watch-lease.ts'

/** Time that the trace, the record and the transcription of a call may take to begin to arrive. */
const SETTLE_MS = 120_000
/** After a longer time without a server, older calls are left. */
const BACK_MS = 24 * 3_600_000
const PERCENT = 100

/** True if a call is of the share that is scored: the same on every server, and part of every larger share. */
export const isInShare = (call_sid: string, percent: number) =>
  createHash('sha256').update(call_sid).digest().readUInt32BE() < (percent / PERCENT) * 2 ** 32

/** Stores the calls of the share that ended since the last look; none of before the card was activated. */
export async function lookForCalls(
  ctx: Pick<Context, 'db' | 'stores' | 'versionsOf' | 'log'>,
  lease: Watch,
  row: scores.CardRow,
  { now, isLeft }: { now: number; isLeft: boolean },
) {
  const { application_sid, account_sid } = row
  const { share } = scores.shown(row)
  const until = now - SETTLE_MS
  const seen = row.seen_until === null ? null : Number(row.seen_until)
  const from = Math.max(seen ?? now, until - BACK_MS)
  if (seen !== null && until <= from) return
  const ended =
    seen === null || isLeft
      ? []
      : await endedBetween(
          ctx,
          { account_sid: account_sid!, application_sid },
          { from, to: until },
          // the legs of a call share its conversation
          (call) =>
            call.sip_parent_callid === null && !!call.trace_id && isInShare(call.call_sid, share),
        )
  // variables as they are now; a tag is read with the trace
  const versions = await ctx.versionsOf(ended.map((call) => ({ call, tag: {} })))
  const versionOf = new Map(ended.map(({ call_sid }, i) => [call_sid, versions[i]]))
  await watch.whileLeased(ctx.db, lease, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('switchroom_score_cards')
      .set({ seen_until: seen === null ? from : until })
      .where('application_sid', '=', application_sid)
      .where('is_active', '=', 1)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    if (isLeft) {
      await scores.forgetWaiting(tx, application_sid)
      return
    }
    const known = new Set(await knownOf(tx, account_sid!, ended))
    await insertMany(
      tx,
      'switchroom_call_scores',
      ended
        .filter(({ call_sid }) => !known.has(call_sid))
        .map(({ call_sid, trace_id, attempted_at }) => ({
          ...{ account_sid, call_sid, application_sid, trace_id },
          called_at: new Date(attempted_at).toISOString(),
          ...{ found_at: now, tries: 0, result: null, tokens: 0, content: null, scored_at: null },
          version: versionOf.get(call_sid) ?? null,
        })),
    )
  })
}

const SIDS = 500

async function knownOf(db: Db, account_sid: string, ended: readonly { call_sid: string }[]) {
  const known: string[] = []
  for (let i = 0; i < ended.length; i += SIDS) {
    const rows = await db
      .selectFrom('switchroom_call_scores')
      .select('call_sid')
      .where('account_sid', '=', account_sid)
      .where(
        'call_sid',
        'in',
        ended.slice(i, i + SIDS).map(({ call_sid }) => call_sid),
      )
      .execute()
    known.push(...rows.map(({ call_sid }) => call_sid))
  }
  return known
}
