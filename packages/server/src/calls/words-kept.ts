import { type Call, WORDS_KEPT, type WordsKept } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

const TABLE = 'switchroom_transcript_settings'

/** Start and end of a call, in Unix milliseconds. */
type Time = { from: number; to: number }

/** Tolerance around a call's record: its data may have been written that much earlier or later. */
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
  return WORDS_KEPT.findLast((policy) => found.has(policy)) ?? 'keep'
}

/**
 * Returns how a call's transcript is shown and stored: the stricter of the account's policy now and
 * at the time of the call, so that text left out earlier does not reappear. If the owner is
 * unknown, the strictest policy of any account.
 */
export async function transcriptPolicyOf(
  db: Db,
  account_sid: string | null,
  time: Time,
): Promise<WordsKept> {
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

/** The strictest setting of any account, except deleted ones, which nobody could change. */
export async function leastKept(db: Db): Promise<WordsKept> {
  const rows = await db
    .selectFrom(TABLE)
    .select('words')
    .distinct()
    .where('account_sid', 'in', db.selectFrom('accounts').select('account_sid'))
    .execute()
  return strictest(rows.map(({ words }) => words))
}
