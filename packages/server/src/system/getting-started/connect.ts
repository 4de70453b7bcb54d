import {
  ALREADY_CONNECTED,
  PLATFORM_VARIABLES,
  type PlatformConnection,
} from '@switchroom/contract'
import type { Config } from '../../config/config.ts'
import { database } from '../../health/doctor/checks/database.ts'
import { databaseRights } from '../../health/doctor/checks/database-rights.ts'
import { databaseSettings } from '../../health/doctor/checks/database-settings.ts'
import { databaseShape } from '../../health/doctor/checks/database-shape.ts'
import { migrations } from '../../health/doctor/checks/migrations.ts'
import { redis } from '../../health/doctor/checks/redis.ts'
import { redisWrites } from '../../health/doctor/checks/redis-writes.ts'
import { sbcs } from '../../health/doctor/checks/sbcs.ts'
import { storedSecrets } from '../../health/doctor/checks/stored-secrets.ts'
import { variables } from '../../health/doctor/checks/variables.ts'
import { runDoctor } from '../../health/doctor/run.ts'
import { siteOf } from '../../health/doctor/site.ts'
import { Failure } from '../../http/failure.ts'

/** Those that ask the platform's database and Redis, and nothing that these name without a guard. */
const CHECKS = [
  variables,
  database,
  databaseRights,
  databaseShape,
  migrations,
  databaseSettings,
  storedSecrets,
  redis,
  redisWrites,
  sbcs,
]

/** How this server reaches what it has now, but for certificates: its passwords are not for the machines that are tried. */
const OWN = /^JAMBONES_(?:MYSQL|REDIS)_(?!SSL_|TLS_|REJECT_)|^ENCRYPTION_SECRET$/

/**
 * What the doctor would say if this server had been started with these variables. Throws 422 once it is on a platform's
 * database: from then on nobody can have it connect to other machines.
 */
export function checkConnection(config: Config, given: PlatformConnection) {
  if (config.database) throw new Failure('conflict', ALREADY_CONNECTED)
  const others = Object.entries(process.env).filter(([name]) => !OWN.test(name))
  const typed = Object.entries(given).map(([name, value]) => [
    PLATFORM_VARIABLES[name as keyof PlatformConnection],
    String(value),
  ])
  return runDoctor(siteOf({ environment: Object.fromEntries([...others, ...typed]) }), CHECKS)
}
