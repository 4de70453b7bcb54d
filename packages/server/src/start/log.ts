import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { callerFields } from '../http/current-request.ts'
import { failingPart } from '../http/failing-part.ts'
import { StateUnreachable } from '../live/state.ts'
import { type Health, health } from '../parts/registry.ts'
import { withoutCredentials } from '../parts/sentence.ts'

/** Fields that are masked in every logged object, up to two levels deep. */
const REDACTED = [
  'authorization',
  'password',
  'token',
  'secret',
  'hashed_password',
  'webhook_secret',
  'sqlParameters',
  'parameters',
  'sql',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

const WARN = pino.levels.values.warn!

/**
 * The log of the server, in JSON lines on standard output unless a destination is given. Every line that a
 * request writes says whose it is. With `quiet`, errors of a part that stays down are mostly left out.
 */
export const openLog = (
  level: string,
  destination?: pino.DestinationStream,
  quiet?: Pick<Health, 'mayLog'>,
) =>
  pino(
    {
      level,
      redact: REDACTED,
      mixin: callerFields,
      serializers: { err: describe },
      hooks: {
        logMethod(args, method, level) {
          const part = quiet && level >= WARN ? failingPart(errorIn(args[0])) : undefined
          if (!part) return method.apply(this, args)
          const line = quiet?.mayLog(part)
          if (line) method.apply(this.child({ part, ...line }), args)
        },
      },
    },
    destination ?? pino.destination(1),
  )

/** The log and the registry of health, which write about a part that is down together. */
export function openLogAndHealth(level: string, destination?: pino.DestinationStream) {
  const late: Pick<Health, 'mayLog'> = { mayLog: (part) => parts.mayLog(part) }
  const log = openLog(level, destination, late)
  const parts = health({ log })
  return { log, health: parts }
}

/** Logs errors of connections to Redis, which tries again by itself. */
export const redisErrors = (log: FastifyBaseLogger) => (cause: unknown) =>
  log.error({ err: new StateUnreachable('Redis', { cause }) }, 'Redis connection failed')

const errorIn = (logged: unknown): unknown =>
  logged instanceof Error ? logged : (logged as { err?: unknown } | undefined)?.err

/** An error without what libraries quote of URLs. Other members may hold statements and their values. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return {
    type: name,
    message: withoutUrls(message),
    ...(code !== undefined && { code }),
    ...(errno !== undefined && { errno }),
    ...(stack && { stack: withoutUrls(stack) }),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}

/** Paths of our own sources stay. */
const withoutUrls = (text: string) =>
  text
    .split(/(file:\/\/[^\s)]+)/)
    .map((part) => (part.startsWith('file://') ? part : withoutCredentials(part)))
    .join('')
