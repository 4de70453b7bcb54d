import type { Call } from '@switchroom/contract'
import { timeOf, wordsOf } from '../../calls/words-kept.ts'
import type { Db } from '../../db/open.ts'
import { type CallKey, toldOf } from './queries.ts'
import { turnsOf } from './turns.ts'

/** Words of both sides in the model sessions of a call. */
export async function wordsOfModel(db: Db, key: CallKey, call: Call): Promise<string[]> {
  const words = await wordsOf(db, key.account_sid, timeOf(call))
  const { turns } = turnsOf(await toldOf(db, key, words))
  return turns.flatMap(({ what, text }) => (what === 'words' && text ? [text] : []))
}
