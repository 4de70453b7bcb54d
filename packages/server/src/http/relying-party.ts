import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'

export type RelyingParty = { id: string; origin: string }

/**
 * Relying party that passkeys are bound to: the console's configured address, never a header of the request. On
 * loopback it is `localhost`, since browsers bind passkeys to names only. Undefined for other addresses without a name.
 */
export function relyingParty({ base_url }: Pick<Config, 'base_url'>): RelyingParty | undefined {
  if (!base_url) return undefined
  const { protocol, hostname, port, origin } = new URL(base_url)
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` }
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? undefined : { id: hostname, origin }
}
