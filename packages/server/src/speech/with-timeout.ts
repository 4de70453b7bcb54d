import { t, type VendorId, vendors } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorText } from '../errors/members.ts'
import { secretsOf } from './ask.ts'
import { Refused } from './protocol.ts'
import { scrub, unreachable } from './refusal.ts'

/** Runs `work` within a time limit. At the limit its signal aborts, and `Refused` is thrown. */
export async function withTimeout<T>(
  { timeout_ms }: { timeout_ms: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeout_ms)
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(unreachable(signal.reason, { timeout_ms }))),
  )
  return Promise.race([work(signal), timedOut])
}

/** The same, but turns network errors of the calls into `Refused` as well. */
export const withDeadline: typeof withTimeout = (limit, work) =>
  withTimeout(limit, work).catch((error: unknown) => {
    throw unreachable(error, limit)
  })

type VendorConfig = { vendor: VendorId; config: Record<string, unknown> }

const NETWORK_ERRORS = ['Blocked', 'TooLarge', 'TimeoutError']
const isNetworkError = (e: unknown) =>
  e instanceof Error && ('code' in e || NETWORK_ERRORS.includes(e.name))

/** Why a vendor's call failed, for people and without secrets. Our own bugs are logged. */
export function reasonOf(
  log: FastifyBaseLogger,
  { vendor, config }: VendorConfig,
  e: unknown,
): string {
  const secrets = secretsOf(vendors[vendor], config)
  if (e instanceof Refused) return scrub(e.message, secrets)
  if (isNetworkError(e)) return scrub(unreachable(e, { timeout_ms: 0 }).message, secrets)
  const stack = errorText(e, 'stack')
  log.error(
    { vendor, error: scrub(String(stack ?? e), secrets) },
    'speech vendor call failed by a bug',
  )
  return t('Internal server error')
}
