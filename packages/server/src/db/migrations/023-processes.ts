import type { Db } from '../open.ts'
import { createOwnTable } from './own-table.ts'

/** Records that processes leave for each other: turns on a cluster, and how far a replica is. */
export async function up(db: Db) {
  await createOwnTable(db, 'switchroom_replica_beats', {
    process_sid: 'varchar(36) primary key',
    beats: 'bigint not null',
    beaten_at: 'bigint not null',
  })
  await createOwnTable(db, 'switchroom_lock_turns', {
    slot: 'integer primary key',
    turns: 'bigint not null',
  })
}
