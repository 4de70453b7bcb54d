import type { Db } from '../../db/open.ts'
import type { Owner } from '../../stores/calls/store.ts'
import type { Said } from '../../stores/voice/store.ts'

/**
 * What is searched for among the words of an owner's calls, as far as accounts let their words be searched. Earlier words
 * of an account that has them masked may not be masked.
 */
export async function saidBy(db: Db, owner: Owner, wanted: readonly string[]): Promise<Said> {
  let settings = db
    .selectFrom('switchroom_transcript_settings')
    .select(['account_sid', 'words', 'words_since'])
    .where('words', '<>', 'keep')
  // of a provider, its former accounts too: calls stay its own
  if (owner.account_sid !== undefined)
    settings = settings.where('account_sid', '=', owner.account_sid)
  const except = (await settings.execute()).map(({ account_sid, words, words_since }) =>
    words === 'mask' && words_since !== null
      ? { account_sid, since: Date.parse(words_since) }
      : { account_sid },
  )
  return { wanted, except }
}
