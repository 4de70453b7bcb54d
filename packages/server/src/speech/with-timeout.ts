import { type VendorId, vendors } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { scrub, secretsOf, unreachable } from './ask.ts'
import { Refused } from './protocol.ts'

/** Asks a vendor, in as many calls as it takes, for so long at most. Throws `Refused` where that is over. */
export async function withTimeout<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    const late = new Refused(`no answer within ${Math.ceil(timeout_ms / 1_000)} seconds`)
    timer = setTimeout(() => reject(late), timeout_ms)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

type VendorConfig = { vendor: VendorId; config: Record<string, unknown> }

const OF_THE_NETWORK = ['Blocked', 'TooLarge', 'TimeoutError']
const isOfTheNetwork = (e: unknown) =>
  e instanceof Error && ('code' in e || OF_THE_NETWORK.includes(e.name))

/** Why a vendor did not do what it was asked, for people, without any secret. A fault of ours is logged. */
export function reasonOf(
  log: FastifyBaseLogger,
  { vendor, config }: VendorConfig,
  e: unknown,
): string {
  const secrets = secretsOf(vendors[vendor], config)
  if (e instanceof Refused) return scrub(e.message, secrets)
  if (isOfTheNetwork(e)) return scrub(unreachable(e, { timeout_ms: 0 }).message, secrets)
  const { stack } = e as Error
  log.error({ vendor, error: scrub(String(stack ?? e), secrets) }, 'speech vendor wrongly asked')
  return 'Internal server error'
}
