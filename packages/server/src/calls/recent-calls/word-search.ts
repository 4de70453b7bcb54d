import type { Db } from '../../db/open.ts'
import type { Owner } from '../../stores/calls/store.ts'
import type { WordSearch } from '../../stores/voice/store.ts'

/**
 * A search for words in an owner's calls. Leaves out accounts that keep no words, and for accounts
 * that mask them, calls before the masking began.
 */
export async function wordSearchFor(
  db: Db,
  owner: Owner,
  wanted: readonly string[],
): Promise<WordSearch> {
  let settings = db
    .selectFrom('switchroom_transcript_settings')
    .select(['account_sid', 'words', 'words_since'])
    .where('words', '<>', 'keep')
  // a provider's former accounts too: their calls stay with the provider
  if (owner.account_sid !== undefined)
    settings = settings.where('account_sid', '=', owner.account_sid)
  const excluded = (await settings.execute()).map(({ account_sid, words, words_since }) =>
    words === 'mask' && words_since !== null
      ? { account_sid, since: Date.parse(words_since) }
      : { account_sid },
  )
  return { wanted, excluded }
}
