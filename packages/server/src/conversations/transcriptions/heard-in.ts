import type { Call, Transcription } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import * as transcriptions from './queries.ts'

/** What was heard in the recording of a call, or of the one whose other leg it is; undefined if nothing was. */
export async function heardIn(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  call: Call,
): Promise<Transcription | undefined> {
  const { account_sid, sip_parent_callid } = call
  if (!account_sid) return undefined
  const own = await heard(db, account_sid, call)
  if (own || !sip_parent_callid) return own
  // legs share their trace, and the recording is the first one's
  const parent = await stores.calls.find({ account_sid }, { sip_callid: sip_parent_callid })
  return parent && heard(db, account_sid, parent)
}

async function heard(db: Context['db'], account_sid: string, { call_sid }: Call) {
  const found = call_sid ? await transcriptions.view(db, { account_sid, call_sid }) : undefined
  const isHeard = found?.state === 'done' || found?.parts.some(({ text }) => text !== null)
  return isHeard ? found : undefined
}
