import type { Db } from '../open.ts'

/**
 * What goes before the first entry of the audit log. Were it put in by the first writer, many who come first
 * at once would hold each other up.
 */
export async function up(db: Db) {
  const there = await db.selectFrom('switchroom_audit_head').select('id').executeTakeFirst()
  if (there) return
  await db.insertInto('switchroom_audit_head').values({ id: 1, seq: 0, hash: '' }).execute()
}
