import { type TranscribedWith, type Transcription, t } from '@switchroom/contract'
import type { z } from 'zod'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { callOf } from '../../calls/recent-calls/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import { countCall } from '../../speech/speech-trials/limits.ts'
import { claim, lockOf } from './claim.ts'
import * as transcriptions from './queries.ts'
import { recordingFor, refuseLeftOut } from './reading.ts'
import { serviceOf } from './services.ts'
import { transcribe } from './transcribe.ts'

/** Has a recording transcribed in the background. */
export async function startTranscription(
  actor: Actor & { ctx: Context },
  { account_sid, call_sid }: transcriptions.CallKey,
  wanted: z.output<typeof TranscribedWith>,
): Promise<Transcription> {
  const { ctx, scope } = actor
  const key = { account_sid, call_sid }
  const call = await callOf(ctx, scope, { call_sid }, { account_sid })
  await refuseLeftOut(ctx, account_sid, call)
  const service = await serviceOf(ctx.db, scope, account_sid, wanted)
  const recording = await recordingFor(ctx, call)
  await countCall(ctx.live, scope)
  const read = (tx: Db) => transcriptions.logged(tx, key)
  const { work, isNew } = await audited(
    actor,
    { kind: 'transcription', sid: call_sid, read, lock: lockOf(account_sid) },
    (tx) => claim(tx, ctx, { ...key, attempted_at: call.attempted_at }, service, 0),
  )
  if (isNew) void transcribe(ctx, work, { call, service, recording })
  return found(await transcriptions.view(ctx.db, key), t('transcription'))
}
