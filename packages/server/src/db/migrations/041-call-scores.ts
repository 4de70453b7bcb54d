import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Score cards of applications, the scores of their calls, and who scores. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_score_cards', {
    application_sid: 'varchar(36) primary key',
    account_sid: 'varchar(36) not null indexed',
    is_active: 'integer not null',
    content: 'mediumtext not null',
    seen_until: 'bigint',
    day: 'varchar(10) not null',
    used_calls: 'integer not null',
    used_tokens: 'bigint not null',
    failures: 'integer not null',
    paused_until: 'bigint not null',
    updated_at: 'varchar(24) not null',
  })
  await createOwnTable(
    db,
    'switchroom_call_scores',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      application_sid: 'varchar(36) not null indexed',
      trace_id: 'varchar(32) not null',
      called_at: 'varchar(24) not null indexed',
      found_at: 'bigint not null',
      tries: 'integer not null',
      result: 'varchar(6) indexed',
      tokens: 'integer not null',
      content: 'mediumtext',
      scored_at: 'varchar(24)',
    },
    { primary: ['account_sid', 'call_sid'] },
  )
  await createOwnTable(
    db,
    'switchroom_score_items',
    {
      account_sid: 'varchar(36) not null',
      call_sid: 'varchar(64) not null',
      number: 'integer not null',
      kind: 'varchar(9) not null',
      name: 'varchar(300) not null',
      is_passed: 'integer',
      score: 'integer',
    },
    { primary: ['account_sid', 'call_sid', 'number'] },
  )
  await createOwnTable(db, 'switchroom_score_watch', {
    id: 'integer primary key',
    holder: 'varchar(36) not null',
    leased_until: 'bigint not null',
  })
}
