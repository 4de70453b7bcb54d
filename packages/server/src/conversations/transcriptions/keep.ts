import type { Part } from '../../audio/read-recording.ts'
import { transcriptPolicyOf } from '../../calls/words-kept.ts'
import { nowIn } from '../../db/clock.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { masked } from '../../talk/masked.ts'
import { noteEvent, thingOfCall } from '../../tenants/event-notes.ts'
import { type CallKey, type PartRow, partsOf, type Work } from './queries.ts'

const TEXT_CHARS = 20_000
const ERROR_CHARS = 1_000

/** The transcription was deleted, or another process has taken it over. */
export class Lost extends Error {
  override name = 'Lost'
}

const at = ({ account_sid, call_sid }: CallKey) => ({ account_sid, call_sid })

/** Reports progress and the result. Throws `Lost` if another process has taken it over. */
export async function tell(
  db: Db,
  work: Work,
  change: Partial<Pick<Tables['switchroom_transcriptions'], 'state' | 'ended_at' | 'message'>> = {},
) {
  const { numUpdatedRows } = await db
    .updateTable('switchroom_transcriptions')
    .set({ seen_at: change.state ? null : nowIn(db), ...change })
    .where((eb) => eb.and({ ...at(work), work_sid: work.work_sid }))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Lost('The transcription was deleted, or taken over')
}

/** Ends the work, and notes that there is something to read. Throws `Lost` as `tell` does. */
export const tellDone = (db: Db, work: Work) =>
  transaction(db, async (tx) => {
    await tell(tx, work, { state: 'done', message: null, ended_at: new Date().toISOString() })
    const { account_sid, call_sid } = work
    await noteEvent(tx, 'transcript.ready', {
      account_sid,
      thing: thingOfCall(call_sid),
      data: { call_sid },
    })
  })

/** Leaves the transcription for another process to continue. */
export const leave = (db: Db, work: Work) =>
  db
    .updateTable('switchroom_transcriptions')
    .set({ seen_at: null })
    .where((eb) => eb.and({ ...at(work), work_sid: work.work_sid, state: 'running' }))
    .execute()

/**
 * Stores the parts of a recording, without text but for those that an earlier try recognized.
 * Resolves to all.
 */
export const keepParts = (db: Db, work: Work, parts: readonly Part[]): Promise<PartRow[]> =>
  transaction(db, async (tx) => {
    await tell(tx, work)
    const nameOf = (side: string, from: number, to: number) => `${side} ${from} ${to}`
    const earlier = await partsOf(tx, work)
    const known = new Map(
      earlier.map(({ side, from_ms, to_ms, text }) => [nameOf(side, from_ms, to_ms), text]),
    )
    const rows = parts.map(({ side, from, to }, number) => ({
      ...at(work),
      number,
      side,
      from_ms: from,
      to_ms: to,
      text: known.get(nameOf(side, from, to)) ?? null,
      error: null,
    }))
    await tx
      .deleteFrom('switchroom_transcription_parts')
      .where((eb) => eb.and(at(work)))
      .execute()
    await insertMany(tx, 'switchroom_transcription_parts', rows)
    return rows
  })

/** The account no longer keeps words, or did not keep them at the time of the call. */
export class NotKept extends Error {
  override name = 'NotKept'
}

/** From the beginning of a call to the end of a part. */
async function timeUntil(db: Db, work: Work, number: number) {
  const { called_at, to_ms } = await db
    .selectFrom('switchroom_transcriptions as t')
    .innerJoin('switchroom_transcription_parts as p', (join) =>
      join.onRef('p.account_sid', '=', 't.account_sid').onRef('p.call_sid', '=', 't.call_sid'),
    )
    .select(['t.called_at', 'p.to_ms'])
    .where('t.account_sid', '=', work.account_sid)
    .where('t.call_sid', '=', work.call_sid)
    .where('p.number', '=', number)
    .executeTakeFirstOrThrow()
  const from = Date.parse(called_at)
  return { from, to: from + to_ms }
}

/**
 * Stores the text of a part, as the account's setting leaves it. Throws `NotKept` if that is
 * nothing.
 */
export const keepText = (db: Db, work: Work, number: number, text: string) =>
  transaction(db, async (tx) => {
    await tell(tx, work)
    const time = await timeUntil(tx, work, number)
    const policy = await transcriptPolicyOf(tx, work.account_sid, time)
    if (policy === 'leave_out') throw new NotKept('Nothing that is said is kept')
    const stored = (policy === 'mask' ? masked(text) : text).slice(0, TEXT_CHARS).toWellFormed()
    await setPart(tx, work, number, { text: stored, error: null })
  })

/** Stores why a part was not recognized, or all those that were not. */
export const keepError = (db: Db, work: Work, number: number | undefined, error: string) =>
  transaction(db, async (tx) => {
    await tell(tx, work)
    await setPart(tx, work, number, { error: error.slice(0, ERROR_CHARS).toWellFormed() })
  })

const setPart = (
  db: Db,
  work: Work,
  number: number | undefined,
  change: Partial<Pick<PartRow, 'text' | 'error'>>,
) =>
  db
    .updateTable('switchroom_transcription_parts')
    .set(change)
    .where((eb) => eb.and(at(work)))
    .$if(number !== undefined, (q) => q.where('number', '=', number!))
    .$if(number === undefined, (q) => q.where('text', 'is', null).where('error', 'is', null))
    .execute()
