import type { Db } from '../db/open.ts'

/** Deletes the scores of a call, whose reasons quote its words. */
export async function forgetScores(
  db: Db,
  { account_sid, call_sid }: { account_sid: string; call_sid: string },
) {
  for (const table of ['switchroom_score_items', 'switchroom_call_scores'] as const)
    await db
      .deleteFrom(table)
      .where('account_sid', '=', account_sid)
      .where('call_sid', '=', call_sid)
      .execute()
}
