import type { TranscriptionPlan } from '@switchroom/contract'
import type { ReadRecording } from '../../audio/read-recording.ts'
import { callOf } from '../../calls/recent-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { countCall, oneOfFew } from '../../speech/speech-trials/limits.ts'
import type { CallKey } from './queries.ts'
import { readAhead, recordingFor, refuseLeftOut } from './reading.ts'
import { servicesOf } from './services.ts'

/** How much speech there is in a recording, of one side or both, in milliseconds. */
export const speechIn = ({ parts }: Pick<ReadRecording, 'parts'>, side?: 'caller' | 'other') =>
  parts.reduce((sum, part) => (!side || part.side === side ? sum + part.to - part.from : sum), 0)

/** What it will take to transcribe a recording. */
export async function planOf(ctx: Context, scope: Scope, key: CallKey): Promise<TranscriptionPlan> {
  const { account_sid, call_sid } = key
  const call = await callOf(ctx, scope, { call_sid }, { account_sid })
  await refuseLeftOut(ctx, account_sid, call)
  const recording = await recordingFor(ctx, call)
  await countCall(ctx.live, scope)
  const read = await oneOfFew(ctx, scope, () => readAhead(ctx, key, recording))
  return {
    length_ms: read.length_ms,
    speech_ms: { caller: speechIn(read, 'caller'), other: speechIn(read, 'other') },
    requests: read.parts.length,
    services: await servicesOf(ctx.db, scope, account_sid),
  }
}
