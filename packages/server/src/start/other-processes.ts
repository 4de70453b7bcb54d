import { resolve } from 'node:path'
import type { RedisOptions } from 'ioredis'
import type { Config } from '../config/config.ts'
import { openDb } from '../db/open.ts'
import type { Watch } from '../db/watched.ts'
import { type SharedWrites, sharedWrites } from '../live/redis-writes.ts'
import { followReplica, type Replica } from '../live/replica.ts'

/** Connections to the replica, and to the database only to see how far the replica is. */
const REPLICA_CONNECTIONS = 10
const BEAT_CONNECTIONS = 1

type Others = {
  /** Resolves once earlier writes of other processes are known here. */
  heard: SharedWrites['heard']
  replica: Replica | undefined
  close: () => Promise<unknown>
}

/** Shares writes with the other processes of the database, and reads lists from a replica, if there is one. */
export function followOthers(
  redis: RedisOptions,
  { database, replica, data }: Config,
  { writes }: Watch,
  onRedisError: (e: Error) => void,
): Others {
  const name = database?.kind === 'mysql' ? database.database : resolve(data)
  const shared = sharedWrites(redis, name, writes, onRedisError)
  if (database?.kind !== 'mysql' || replica?.kind !== 'mysql')
    return { heard: shared.heard, replica: undefined, close: shared.close }
  const followed = followReplica(
    openDb({ ...database, connectionLimit: BEAT_CONNECTIONS }),
    openDb({ ...replica, connectionLimit: REPLICA_CONNECTIONS }),
    writes,
    shared.heard,
  )
  return {
    heard: shared.heard,
    replica: followed,
    async close() {
      await followed.close()
      await shared.close()
    },
  }
}
