import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

const used = {
  account_sid: 'varchar(36) not null',
  application_sid: 'varchar(128) not null',
  version: 'varchar(128)',
  vendor: 'varchar(100)',
  model: 'varchar(100)',
  input: 'bigint',
  cached: 'bigint',
  output: 'bigint',
  seconds: 'bigint not null',
  characters: 'bigint not null',
} as const

/** Use of model sessions, by call and by hour. Calls of before are counted from their events. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_model_use',
    {
      ...used,
      call_sid: 'varchar(64) not null indexed',
      began_at: 'bigint not null',
      model_name: 'varchar(200) not null',
    },
    { primary: ['account_sid', 'began_at', 'call_sid'], isOrdered: true },
  )
  await createOwnTable(
    db,
    'switchroom_model_hours',
    {
      ...used,
      hour: 'bigint not null indexed',
      kind: 'varchar(64) not null',
      calls: 'integer not null',
    },
    { primary: ['account_sid', 'hour', 'kind'], isOrdered: true },
  )
  await db.updateTable('switchroom_model_calls').set({ is_found: 0 }).execute()
}
