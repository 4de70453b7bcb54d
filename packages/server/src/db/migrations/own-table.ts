import { sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'

/**
 * A table of ours: names start with `switchroom_`. It holds any text and compares it exactly, whatever
 * the platform's database has as its default. MySQL keeps what a migration did before it failed: hence
 * `if not exists`.
 */
export function ownTable(db: Db, name: `switchroom_${string}`) {
  const table = db.schema.createTable(name).ifNotExists()
  if (kindOf(db) === 'sqlite') return table
  return table.modifyEnd(sql`engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin`)
}
