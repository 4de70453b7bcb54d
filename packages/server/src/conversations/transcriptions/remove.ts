import { t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { callOf } from '../../calls/recent-calls/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import * as transcriptions from './queries.ts'
import { findByWords } from './searched.ts'

/** Deletes what was heard in a recording, and stops what goes on. Throws 404 if there is nothing. */
export async function removeTranscription(
  actor: Actor & { ctx: Context },
  { account_sid, call_sid }: transcriptions.CallKey,
) {
  const { ctx, scope } = actor
  const call = await callOf(ctx, scope, { call_sid }, { account_sid })
  const key = { account_sid, call_sid }
  const read = (tx: Db) => transcriptions.logged(tx, key)
  await audited(actor, { kind: 'transcription', sid: call_sid, read }, async (tx) =>
    found((await transcriptions.remove(tx, scope, key)) || undefined, t('transcription')),
  )
  await findByWords(ctx, key, call)
}
