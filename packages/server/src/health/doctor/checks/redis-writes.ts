import { randomUUID } from 'node:crypto'
import { t } from '@switchroom/contract'
import type { Redis } from 'ioredis'
import { errorMessage } from '../../../errors/members.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'
import { infoLine } from './redis.ts'

const NEARLY_FULL = 0.9

/** Whether Redis accepts writes now, and keeps what is written. */
export const redisWrites: Check = {
  name: 'redis_writes',
  needs: /^(?:ENABLE_)?JAMBONES_REDIS_/,
  async run({ redis }) {
    const opened = await redis?.()
    if (!opened) return undefined
    if ('failure' in opened) return notChecked(t('Redis cannot be used.'))
    const refused = await refusal(opened.it)
    if (refused) return refused
    return memoryFinding(await opened.it.info())
  },
}

/** Tries a write that changes nothing: it replaces a value that does not exist. */
async function refusal(redis: Redis): Promise<Finding | undefined> {
  try {
    await redis.set(`switchroom-doctor:${randomUUID()}`, '', 'EX', 1, 'XX')
    return undefined
  } catch (e) {
    const message = errorMessage(e)
    if (message.startsWith('OOM'))
      return problem(
        t(
          'Redis is full and refuses writes: nobody can log in, and the platform cannot record calls.',
        ),
        t('Raise maxmemory of Redis, or find what fills it: redis-cli --bigkeys'),
      )
    if (message.startsWith('MISCONF'))
      return problem(
        t('Redis refuses writes because it could not save its data to disk.'),
        t(
          'Look at the log of Redis: its disk is full, or its folder cannot be written. Then run redis-cli bgsave.',
        ),
      )
    if (message.startsWith('READONLY')) return notChecked(t('A replica refuses all writes.'))
    if (message.startsWith('NOPERM'))
      return problem(
        t('The Redis user may not write.'),
        t(
          'Give it the right to all keys and commands of data: ACL SETUSER <user> ~* +@all -@admin',
        ),
      )
    throw e
  }
}

export function memoryFinding(info: string): Finding {
  const most = Number(infoLine(info, 'maxmemory') ?? 0)
  const used = Number(infoLine(info, 'used_memory') ?? 0)
  const policy = infoLine(info, 'maxmemory_policy') ?? 'noeviction'
  if (most > 0 && policy !== 'noeviction')
    return warning(
      t(
        'When Redis is full, its maxmemory-policy {policy} deletes sessions, counters and the platform’s live calls.',
        { policy },
      ),
      t('Set maxmemory-policy noeviction, and enough maxmemory.'),
    )
  if (most > 0 && used > most * NEARLY_FULL)
    return warning(
      t('Redis uses {percent}% of its maxmemory. When it is full, it refuses writes.', {
        percent: Math.round((used / most) * 100),
      }),
      t('Raise maxmemory of Redis, or find what fills it: redis-cli --bigkeys'),
    )
  return ok(t('Redis accepts writes and has memory left.'))
}
