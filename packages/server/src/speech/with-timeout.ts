import { type VendorId, vendors } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorText } from '../errors/members.ts'
import { scrub, secretsOf, unreachable } from './ask.ts'
import { Refused } from './protocol.ts'

/**
 * Runs `work` within a time limit. Its signal aborts when the time is over. Throws
 * `Refused` then.
 */
export async function withTimeout<T>(
  { timeout_ms }: { timeout_ms: number },
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = AbortSignal.timeout(timeout_ms)
  const late = new Promise<never>((_, reject) =>
    end.addEventListener('abort', () => reject(unreachable(end.reason, { timeout_ms }))),
  )
  return Promise.race([work(end), late])
}

/** The same, but turns network errors of the calls into `Refused` as well. */
export const withDeadline: typeof withTimeout = (limit, work) =>
  withTimeout(limit, work).catch((error: unknown) => {
    throw unreachable(error, limit)
  })

type VendorConfig = { vendor: VendorId; config: Record<string, unknown> }

const OF_THE_NETWORK = ['Blocked', 'TooLarge', 'TimeoutError']
const isOfTheNetwork = (e: unknown) =>
  e instanceof Error && ('code' in e || OF_THE_NETWORK.includes(e.name))

/** Why a vendor's call failed, for people and without secrets. Bugs of ours are logged. */
export function reasonOf(
  log: FastifyBaseLogger,
  { vendor, config }: VendorConfig,
  e: unknown,
): string {
  const secrets = secretsOf(vendors[vendor], config)
  if (e instanceof Refused) return scrub(e.message, secrets)
  if (isOfTheNetwork(e)) return scrub(unreachable(e, { timeout_ms: 0 }).message, secrets)
  const stack = errorText(e, 'stack')
  log.error({ vendor, error: scrub(String(stack ?? e), secrets) }, 'speech vendor wrongly asked')
  return 'Internal server error'
}
