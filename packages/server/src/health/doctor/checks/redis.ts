import { t } from '@switchroom/contract'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

/** A line of the answer to INFO. */
export const infoLine = (info: string, name: string) =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

/** Whether Redis can be reached with these variables, and is one that can be written to. */
export const redis: Check = {
  name: 'redis',
  needs: /^(?:ENABLE_)?JAMBONES_REDIS_/,
  async run({ redis }) {
    const opened = await redis?.()
    if (!opened) return undefined
    if ('failure' in opened) return opened.failure
    const info = await opened.it.info()
    if (infoLine(info, 'role') === 'slave')
      return problem(
        t('This Redis is a replica, which refuses writes.'),
        t('Set JAMBONES_REDIS_HOST to the primary, or JAMBONES_REDIS_SENTINELS to its sentinels.'),
      )
    return ok(t('Redis {version} answers.', { version: infoLine(info, 'redis_version') ?? '' }))
  },
}
