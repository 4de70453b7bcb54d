import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Periods in which accounts kept less than all words, before they changed that. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_words_kept_before', {
    kept_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) not null indexed',
    words: 'varchar(9) not null',
    since: 'varchar(24)',
    until: 'varchar(24) not null indexed',
  })
}
