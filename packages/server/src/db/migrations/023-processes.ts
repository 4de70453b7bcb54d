import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Records that processes leave for each other: turns on a cluster, and how far a replica is. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_replica_beats', (table) =>
    table
      .addColumn('process_sid', 'varchar(36)', (c) => c.primaryKey())
      .addColumn('beats', 'bigint', (c) => c.notNull())
      .addColumn('beaten_at', 'bigint', (c) => c.notNull()),
  )
  await createOwnTable(db, 'switchroom_lock_turns', (table) =>
    table
      .addColumn('slot', 'integer', (c) => c.primaryKey())
      .addColumn('turns', 'bigint', (c) => c.notNull()),
  )
}
