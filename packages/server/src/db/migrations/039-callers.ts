import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Language models of accounts, the callers that they play, and the result of each of their conversations. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_language_models', {
    account_sid: 'varchar(36) primary key',
    url: 'varchar(500) not null',
    model: 'varchar(200) not null',
    sealed_key: 'text',
  })
  await createOwnTable(
    db,
    'switchroom_simulated_callers',
    {
      simulated_caller_sid: 'varchar(36) primary key',
      application_sid: 'varchar(36) not null',
      account_sid: 'varchar(36) indexed',
      name: 'varchar(100) not null',
      content: 'mediumtext not null',
      created_at: 'varchar(24) not null',
      updated_at: 'varchar(24) not null',
    },
    { unique: { name: ['application_sid', 'name'] } },
  )
  await createOwnTable(db, 'switchroom_simulated_runs', {
    run_sid: 'varchar(36) primary key',
    simulated_caller_sid: 'varchar(36) not null indexed',
    caller: 'mediumtext not null',
    turns: 'integer not null',
    tokens: 'integer not null',
    outcome: 'varchar(16)',
    reason: 'text',
    is_reached: 'integer',
    scores: 'mediumtext',
  })
}
