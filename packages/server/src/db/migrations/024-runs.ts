import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Calls to applications that are played without a telephone, their steps, and those that are saved as test cases. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_runs', {
    run_sid: 'varchar(36) primary key',
    application_sid: 'varchar(36) not null indexed',
    account_sid: 'varchar(36) indexed',
    repeats: 'varchar(36)',
    test_case_sid: 'varchar(36)',
    begun_at: 'varchar(24) not null',
    seen_at: 'bigint indexed',
    start: 'mediumtext not null',
    step_count: 'integer not null',
    problems: 'integer not null',
    question: 'integer',
    answer: 'mediumtext',
    is_stopped: 'integer not null',
    ended: 'text',
    expectations: 'mediumtext',
    outcomes: 'mediumtext',
    is_passed: 'integer',
  })
  await createOwnTable(
    db,
    'switchroom_run_steps',
    {
      run_sid: 'varchar(36) not null',
      number: 'integer not null',
      step: 'mediumtext not null',
    },
    { primary: ['run_sid', 'number'] },
  )
  await createOwnTable(
    db,
    'switchroom_test_cases',
    {
      test_case_sid: 'varchar(36) primary key',
      application_sid: 'varchar(36) not null',
      account_sid: 'varchar(36) indexed',
      name: 'varchar(100) not null',
      content: 'mediumtext not null',
      latest_run_sid: 'varchar(36)',
      created_at: 'varchar(24) not null',
      updated_at: 'varchar(24) not null',
    },
    { unique: { name: ['application_sid', 'name'] } },
  )
}
