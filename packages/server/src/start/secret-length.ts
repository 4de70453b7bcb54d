import { CannotStart } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../http/context.ts'

/** HS256 wants a key as long as its hash (RFC 7518, section 3.2). */
const BYTES = 32

const isShort = ({ jwt_secret }: Pick<Config, 'jwt_secret'>) =>
  jwt_secret !== undefined && Buffer.byteLength(jwt_secret) < BYTES

/** Throws for a new installation, where nothing depends on a short secret yet. */
export function refuseShortSecret(config: Pick<Config, 'jwt_secret'>) {
  if (isShort(config))
    throw new CannotStart(
      `JWT_SECRET: needs at least ${BYTES} characters in a new installation. Create one with "openssl rand -base64 32".`,
    )
}

const SHORT = `JWT_SECRET has fewer than ${BYTES} characters. Whoever has a session token can try to guess it offline. See docs/adr/015-secret-lengths.md for how to replace it.`

/** Warns of the short secret of a running platform, which a drop-in must not lock out. */
export function reportSecretLength({
  config,
  health,
  log,
}: Pick<Context, 'health' | 'log'> & { config: Pick<Config, 'jwt_secret'> }) {
  if (!isShort(config)) return health.report('session_secret', 'ok')
  health.report('session_secret', 'degraded', SHORT)
  log.warn(SHORT)
}
