import { settingsOf } from '../conversations/transcript-settings/queries.ts'
import type { Db } from '../db/open.ts'

/** True if the account has come to keep less of the words of calls than at a time. */
export async function keepsLess(
  db: Db,
  { account_sid, begun_at }: { account_sid: string | null; begun_at: string },
) {
  if (account_sid === null) return false
  const { words, words_since } = await settingsOf(db, account_sid)
  return words !== 'keep' && words_since !== null && words_since > begun_at
}
