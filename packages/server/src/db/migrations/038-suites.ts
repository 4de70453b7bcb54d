import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls of applications that were played again, each with its run. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_suites',
    {
      suite_sid: 'varchar(36) primary key',
      application_sid: 'varchar(36) not null',
      account_sid: 'varchar(36)',
      begun_at: 'varchar(24) not null',
      content: 'mediumtext not null',
    },
    { indexes: ['application_sid', 'account_sid'] },
  )
}
