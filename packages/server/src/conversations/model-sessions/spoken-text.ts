import type { Call } from '@switchroom/contract'
import { timeOf, transcriptPolicyOf } from '../../calls/words-kept.ts'
import type { Db } from '../../db/open.ts'
import { type CallKey, toldOf } from './queries.ts'
import { turnsOf } from './turns.ts'

/** Text that both sides said in a call's model sessions. */
export async function spokenTextOf(db: Db, key: CallKey, call: Call): Promise<string[]> {
  const policy = await transcriptPolicyOf(db, key.account_sid, timeOf(call))
  const { turns } = turnsOf(await toldOf(db, key, policy))
  return turns.flatMap(({ what, text }) => (what === 'words' && text ? [text] : []))
}
