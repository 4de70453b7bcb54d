import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls of applications that were played again, each with its run. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_suites', {
    suite_sid: 'varchar(36) primary key',
    application_sid: 'varchar(36) not null indexed',
    account_sid: 'varchar(36) indexed',
    begun_at: 'varchar(24) not null',
    content: 'mediumtext not null',
  })
}
