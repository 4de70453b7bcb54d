import { t } from '@switchroom/contract'
import type { RedisOptions } from 'ioredis'
import { errorCode, errorText } from '../errors/members.ts'
import { CannotStart, naming } from './cannot-start.ts'

/** Why Redis cannot be used, in words that name the variables. */
export function explainRedisError(cause: unknown, { sentinels, host, port, name }: RedisOptions) {
  const code = errorCode(cause) ?? ''
  const message = errorText(cause, 'message') ?? ''
  const at = sentinels
    ? sentinels.map((s) => `${s.host}:${s.port}`).join(', ')
    : `${host ?? ''}:${port ?? ''}`
  const address = sentinels
    ? 'JAMBONES_REDIS_SENTINELS'
    : 'JAMBONES_REDIS_HOST, JAMBONES_REDIS_PORT'
  const later = (text: string) => new CannotStart(text, { status: 1, cause })
  if (/NOAUTH|WRONGPASS|invalid password|without any password/i.test(message))
    return new CannotStart(refusedCredentials(message, at, Boolean(sentinels)), { cause })
  if (/ENOTFOUND|EAI_/.test(`${code} ${message}`))
    return later(
      sentinels
        ? naming(address, t('No host name of {at} can be resolved.', { at }))
        : naming('JAMBONES_REDIS_HOST', t('The host name "{host}" cannot be resolved.', { host })),
    )
  if (sentinels)
    return later(
      naming(
        address,
        t('No sentinel at {at} knows a reachable master called "{name}".', { at, name }),
      ),
    )
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code))
    return new CannotStart(
      naming(
        'JAMBONES_REDIS_TLS_CA_FILE',
        t('No TLS connection to Redis at {at} ({code}).', { at, code }),
      ),
      { cause },
    )
  if (code === 'ECONNREFUSED') return later(naming(address, t('Nothing listens at {at}.', { at })))
  return later(`${address}: ${t('Redis at {at} does not answer.', { at })}`)
}

function refusedCredentials(message: string, at: string, hasSentinels: boolean) {
  const refused = t('Redis at {at} does not accept these credentials.', { at })
  if (!hasSentinels) return `JAMBONES_REDIS_USERNAME, JAMBONES_REDIS_PASSWORD: ${refused}`
  return /sentinels/i.test(message)
    ? naming(
        'JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD',
        t('The sentinels at {at} do not accept this password.', { at }),
      )
    : `JAMBONES_REDIS_SENTINEL_USERNAME, JAMBONES_REDIS_SENTINEL_PASSWORD: ${t('The Redis that the sentinels at {at} name does not accept these credentials.', { at })}`
}
