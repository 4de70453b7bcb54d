import { startServices } from '../scripts/services.ts'

/** A Redis of this worker alone, because stories count keys in it and flush it. Undefined without Redis. */
export const redis = process.env.TEST_REDIS_URL
  ? new URL((await startServices(['Redis'])).env.TEST_REDIS_URL!)
  : undefined
