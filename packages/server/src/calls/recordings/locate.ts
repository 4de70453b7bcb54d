import { type Call, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import { dayBefore, dayOf, keyOf, type RecordingFormat } from '../../stores/recordings/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'

/** The day a call ended, from its record, and the format of its recording. */
export type WhichRecording = { year: string; month: string; day: string; format: RecordingFormat }

/** Location of a call's recording. The owner comes from the call's record: path and bucket are not trustworthy. */
export async function locateRecording(
  ctx: Pick<Context, 'db' | 'box' | 'stores'>,
  { account_sid }: Pick<Call, 'account_sid'>,
  { call_sid, format, ...date }: WhichRecording & { call_sid: string },
) {
  const known = found(account_sid, t('recording'))
  const { bucket } = found(await accounts.recordingOf(ctx, known), t('recording'))
  const owner = { account_sid: known, bucket }
  const [year, month, day] = [Number(date.year), Number(date.month), Number(date.day)] as const
  // a call's record has its end date, a recording's name its start date
  const days = [dayOf(new Date(year, month - 1, day)), dayBefore(year, month, day)]
  const keys = days.map((named) => keyOf(named, call_sid, format))
  return { owner, find: () => ctx.stores.recordings.find(owner, keys) }
}

const IN_URL = /\/record\/(\d{4})\/(\d\d?)\/(\d\d?)\/(mp3|wav)(?:$|\?)/

/** The recording that a call's record speaks of; undefined if it speaks of none, or it is not there. */
export async function recordingOfCall(
  ctx: Pick<Context, 'db' | 'box' | 'stores'>,
  call: Pick<Call, 'account_sid' | 'call_sid' | 'recording_url'>,
) {
  const [, year, month, day, format] = IN_URL.exec(call.recording_url ?? '') ?? []
  if (!call.call_sid || !year || !month || !day) return undefined
  const { call_sid } = call
  const which = { call_sid, year, month, day, format: format === 'wav' ? 'wav' : 'mp3' } as const
  const recording = await (await locateRecording(ctx, call, which)).find()
  return recording && { ...recording, format: which.format }
}
