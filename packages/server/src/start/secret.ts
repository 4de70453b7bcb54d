import { join } from 'node:path'
import { t } from '@switchroom/contract'
import { CannotStart } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import { existingSecret } from '../config/kept-secret.ts'
import { isShortSecret, SECRET_BYTES, SHORT_SECRET } from '../config/short-secret.ts'
import type { Db } from '../db/open.ts'
import type { Prepared } from '../db/prepare.ts'
import type { Context } from '../http/context.ts'

/** Throws for a new installation, where nothing depends on a short secret yet. */
export function refuseShortSecret(config: Pick<Config, 'jwt_secret'>) {
  if (isShortSecret(config))
    throw new CannotStart(
      `JWT_SECRET: needs at least ${SECRET_BYTES} characters in a new installation. Create one with "openssl rand -base64 32".`,
    )
}

/** Warns of a lost secret, and of the short one of a running platform, which a drop-in must not lock out. */
export function reportSecret(
  { config, health, log }: Pick<Context, 'health' | 'log'> & { config: Pick<Config, 'jwt_secret'> },
  lost: string | undefined,
) {
  const problem = lost ?? (isShortSecret(config) ? SHORT_SECRET : undefined)
  if (problem === undefined) return health.report('session_secret', 'ok')
  health.report('session_secret', 'degraded', problem)
  log.warn(problem)
}

/** A sentence if this start has to generate another secret in place of one that is in use; undefined if it has not. */
export async function lostSecret(
  { jwt_secret, data, encryption_secret }: Config,
  db: Db,
  state: Prepared['state'],
): Promise<string | undefined> {
  if (jwt_secret !== undefined || existingSecret(data, 'jwt-secret') !== undefined) return undefined
  if (!(await isInUse(db, state))) return undefined
  const file = join(data, 'jwt-secret')
  return encryption_secret
    ? t(
        'The file {file} was missing, so another secret was generated: all sessions have ended. Restore the file from a backup, or set JWT_SECRET to its former value.',
        { file },
      )
    : t(
        'The file {file} was missing, so another secret was generated: all sessions have ended, and stored credentials cannot be read. Restore the file from a backup, or set JWT_SECRET to its former value.',
        { file },
      )
}

/** An adopted platform has users before its first session of ours. */
async function isInUse(db: Db, state: Prepared['state']): Promise<boolean> {
  const table = state === 'adopted' ? 'switchroom_sessions' : 'users'
  const row = await db.selectFrom(table).select('user_sid').limit(1).executeTakeFirst()
  return row !== undefined
}
