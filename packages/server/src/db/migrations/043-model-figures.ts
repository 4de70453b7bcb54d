import { type CreateTableBuilder, sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'
import { createOwnTable } from './own-table.ts'

const used = <T extends CreateTableBuilder<string, string>>(table: T) =>
  table
    .addColumn('account_sid', 'varchar(36)', (c) => c.notNull())
    .addColumn('application_sid', 'varchar(128)', (c) => c.notNull())
    .addColumn('version', 'varchar(128)')
    .addColumn('vendor', 'varchar(100)')
    .addColumn('model', 'varchar(100)')
    .addColumn('input', 'bigint')
    .addColumn('cached', 'bigint')
    .addColumn('output', 'bigint')
    .addColumn('seconds', 'bigint', (c) => c.notNull())
    .addColumn('characters', 'bigint', (c) => c.notNull())

/** Rows in the order of their keys, as InnoDB has them: a span of calls is read from one place. */
const inOrder = <T extends CreateTableBuilder<string, string>>(db: Db, table: T) =>
  kindOf(db) === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table

/** Use of model sessions, by call and by hour. Calls of before are counted from their events. */
export async function up(db: Db) {
  await createOwnTable(
    db,
    'switchroom_model_use',
    (table) =>
      inOrder(db, used(table))
        .addColumn('call_sid', 'varchar(64)', (c) => c.notNull())
        .addColumn('began_at', 'bigint', (c) => c.notNull())
        .addColumn('model_name', 'varchar(200)', (c) => c.notNull())
        .addPrimaryKeyConstraint('switchroom_model_use_key', [
          'account_sid',
          'began_at',
          'call_sid',
        ]),
    ['call_sid'],
  )
  await createOwnTable(
    db,
    'switchroom_model_hours',
    (table) =>
      inOrder(db, used(table))
        .addColumn('hour', 'bigint', (c) => c.notNull())
        .addColumn('kind', 'varchar(64)', (c) => c.notNull())
        .addColumn('calls', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('switchroom_model_hours_key', ['account_sid', 'hour', 'kind']),
    ['hour'],
  )
  await db.updateTable('switchroom_model_calls').set({ is_found: 0 }).execute()
}
