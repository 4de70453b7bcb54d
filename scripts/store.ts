import type { Config } from '../packages/server/src/config/config.ts'
import { redisLive } from '../packages/server/src/live/redis.ts'
import { tableLive } from '../packages/server/src/live/table.ts'
import { existingDatabase } from '../packages/server/src/start/database.ts'
import { checkRedis } from '../packages/server/src/start/redis.ts'

/** Opens the configured database and live state for a command. The server may be running. */
export async function openStore(config: Config) {
  const db = await existingDatabase(config)
  if (config.redis) await checkRedis(config.redis)
  const live = config.redis ? redisLive(config.redis, () => undefined) : tableLive(db)
  const close = async () => {
    await live.close()
    await db.destroy()
  }
  return { db, live, close }
}
