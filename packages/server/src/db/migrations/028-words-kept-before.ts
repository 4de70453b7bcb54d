import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Periods in which accounts kept less than all words, before they changed that. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_words_kept_before',
    (table) =>
      table
        .addColumn('kept_sid', 'varchar(36)', (c) => c.primaryKey())
        .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
        .addColumn('words', 'varchar(9)', (c) => c.notNull())
        .addColumn('since', 'varchar(24)')
        .addColumn('until', 'varchar(24)', (c) => c.notNull()),
    ['account_sid', 'until'],
  )
}
