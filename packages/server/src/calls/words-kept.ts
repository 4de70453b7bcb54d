import { type Call, WORDS_KEPT, type WordsKept } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

const TABLE = 'switchroom_transcript_settings'

/** When a call was: milliseconds. */
type Time = { from: number; to: number }

/** What belongs to a call may have been written so much earlier or later than its record tells. */
const AROUND_MS = 60_000
/** How long a call without an end may last. */
const LONGEST_MS = 86_400_000

export function timeOf({
  attempted_at,
  terminated_at,
}: Pick<Call, 'attempted_at' | 'terminated_at'>): Time {
  const from = Date.parse(attempted_at)
  return { from, to: terminated_at ? Date.parse(terminated_at) : from + LONGEST_MS }
}

const strictest = (all: Iterable<WordsKept>) => {
  const found = new Set(all)
  return WORDS_KEPT.findLast((words) => found.has(words)) ?? 'keep'
}

/**
 * What is shown and written of the words of a call: the least of what its account wants now and wanted then, so that
 * nothing comes back that was not to be kept. If it is not known whose it is, the least that any account wants.
 */
export async function wordsOf(db: Db, account_sid: string | null, time: Time): Promise<WordsKept> {
  const then = keptThen(db, account_sid, time)
  if (account_sid === null) return strictest([await leastKept(db), ...(await then)])
  const row = await db
    .selectFrom(TABLE)
    .select('words')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  return strictest([row?.words ?? 'keep', ...(await then)])
}

async function keptThen(db: Db, account_sid: string | null, { from, to }: Time) {
  const at = (ms: number) => new Date(ms).toISOString()
  const rows = await db
    .selectFrom('switchroom_words_kept_before')
    .select('words')
    .distinct()
    .where('until', '>=', at(from - AROUND_MS))
    .where((eb) => eb.or([eb('since', 'is', null), eb('since', '<=', at(to + AROUND_MS))]))
    .$if(account_sid !== null, (q) => q.where('account_sid', '=', account_sid!))
    .execute()
  return rows.map(({ words }) => words)
}

/** The least that an account wants, without those that are gone: nobody could change it any more. */
export async function leastKept(db: Db): Promise<WordsKept> {
  const rows = await db
    .selectFrom(TABLE)
    .select('words')
    .distinct()
    .where('account_sid', 'in', db.selectFrom('accounts').select('account_sid'))
    .execute()
  return strictest(rows.map(({ words }) => words))
}
