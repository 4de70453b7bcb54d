import type { Db } from '../open.ts'

/**
 * The row before the first audit entry. If the first writer inserted it, concurrent first writers would
 * block each other.
 */
export async function up(db: Db) {
  const head = await db.selectFrom('switchroom_audit_head').select('id').executeTakeFirst()
  if (head) return
  await db.insertInto('switchroom_audit_head').values({ id: 1, seq: 0, hash: '' }).execute()
}
