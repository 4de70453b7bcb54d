import type { Db } from '../db/open.ts'
import { linkHash, NO_HASH } from './record.ts'
import type { PendingRow } from './seal.ts'

export type Verdict =
  | { whole: true; entries: number; hash: string }
  | { whole: false; seq: number; why: string }

const BATCH = 1_000

/**
 * Follows the audit log's hash chain from its first entry to its newest. Names the first broken link: an
 * entry that was changed, removed, inserted, or cut off at the end.
 */
export async function verify(db: Db): Promise<Verdict> {
  let seq = 0
  let hash = NO_HASH
  while (true) {
    const rows = await db
      .selectFrom('switchroom_audit')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    for (const { hash: stored, ...row } of rows) {
      if (row.seq !== seq + 1)
        return { whole: false, seq: seq + 1, why: `it is missing: the next one is ${row.seq}` }
      if (linkHash(hash, row) !== stored)
        return {
          whole: false,
          seq: row.seq,
          why: 'it is not what was written, or not after the one before',
        }
      seq = row.seq
      hash = stored
    }
    if (rows.length < BATCH) break
  }
  const newest = await db.selectFrom('switchroom_audit_head').selectAll().executeTakeFirstOrThrow()
  if (newest.seq > seq)
    return { whole: false, seq: seq + 1, why: `it is missing: the newest was ${newest.seq}` }
  if (newest.seq < seq || newest.hash !== hash)
    return { whole: false, seq, why: 'it is not the newest that was written' }
  return { whole: true, entries: seq, hash }
}

/** Number of entries not linked to the log yet. */
export async function pendingEntries(db: Db) {
  const tables = await db.introspection.getTables()
  if (!tables.some((t) => t.name === 'switchroom_audit_pending')) return 0
  const batches = await db.selectFrom('switchroom_audit_pending').select('entries').execute()
  return batches.reduce((sum, { entries }) => sum + (JSON.parse(entries) as PendingRow[]).length, 0)
}
