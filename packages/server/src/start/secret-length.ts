import { CannotStart } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import { isShortSecret, SECRET_BYTES, SHORT_SECRET } from '../config/short-secret.ts'
import type { Context } from '../http/context.ts'

/** Throws for a new installation, where nothing depends on a short secret yet. */
export function refuseShortSecret(config: Pick<Config, 'jwt_secret'>) {
  if (isShortSecret(config))
    throw new CannotStart(
      `JWT_SECRET: needs at least ${SECRET_BYTES} characters in a new installation. Create one with "openssl rand -base64 32".`,
    )
}

/** Warns of the short secret of a running platform, which a drop-in must not lock out. */
export function reportSecretLength({
  config,
  health,
  log,
}: Pick<Context, 'health' | 'log'> & { config: Pick<Config, 'jwt_secret'> }) {
  if (!isShortSecret(config)) return health.report('session_secret', 'ok')
  health.report('session_secret', 'degraded', SHORT_SECRET)
  log.warn(SHORT_SECRET)
}
