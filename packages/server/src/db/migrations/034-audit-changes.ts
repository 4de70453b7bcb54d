import { sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'

const NAME = 'switchroom_audit_changes'
const FORMER = 'switchroom_audit_account_sid'

/**
 * Lets an account's changes be counted without its agents' calls, by index alone. Repeatable, because MySQL keeps half a
 * migration after a crash.
 */
export async function up(db: Db) {
  const on = sql`${sql.table('switchroom_audit')} (account_sid, seq, action)`
  if (kindOf(db) === 'sqlite') {
    await sql`create index if not exists ${sql.ref(NAME)} on ${on}`.execute(db)
    await sql`drop index if exists ${sql.ref(FORMER)}`.execute(db)
    return
  }
  const { rows } = await sql<{ name: string }>`
    select distinct index_name as name from information_schema.statistics
    where table_schema = database() and table_name = 'switchroom_audit'`.execute(db)
  const has = (name: string) => rows.some((row) => row.name === name)
  if (!has(NAME)) await sql`create index ${sql.ref(NAME)} on ${on}`.execute(db)
  if (has(FORMER))
    await sql`drop index ${sql.ref(FORMER)} on ${sql.table('switchroom_audit')}`.execute(db)
}
