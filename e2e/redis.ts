import { startServices } from '../scripts/services.ts'

/** Of this worker alone, for stories count in it and empty it. Undefined where there is none to be had. */
export const redis = process.env.TEST_REDIS_URL
  ? new URL((await startServices(['Redis'])).env.TEST_REDIS_URL!)
  : undefined
