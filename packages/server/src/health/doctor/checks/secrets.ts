import { existsSync } from 'node:fs'
import { t } from '@switchroom/contract'
import { CannotStart, fileReason } from '../../../config/cannot-start.ts'
import { databaseOf } from '../../../config/database-error.ts'
import { existingSecret } from '../../../config/kept-secret.ts'
import { isShortSecret, SECRET_BYTES } from '../../../config/short-secret.ts'
import type { Check } from '../check.ts'
import { findingOf, notChecked, ok, problem, warning } from '../finding.ts'

/** The secret that signs sessions, and encrypts unless there is another. */
export const secrets: Check = {
  name: 'secrets',
  needs: /^(?:JWT|ENCRYPTION)_SECRET$|^SWITCHROOM_DATA$/,
  async run({ config }) {
    if (config.jwt_secret !== undefined) {
      if (!isShortSecret(config)) return ok(t('JWT_SECRET is long enough.'))
      return warning(
        t(
          'JWT_SECRET has fewer than {SECRET_BYTES} characters. Whoever has a session token can try to guess it offline.',
          { SECRET_BYTES },
        ),
        t('Replace it as docs/adr/015-secret-lengths.md describes.'),
      )
    }
    try {
      if (existingSecret(config.data, 'jwt-secret'))
        return ok(t('The generated secret in the data folder is complete.'))
    } catch (e) {
      if (e instanceof CannotStart) return findingOf(e, t('the file'))
      return notChecked(
        t('The generated secret cannot be read ({reason}).', { reason: fileReason(e) }),
      )
    }
    const where = databaseOf(config)
    if (where.kind === 'mysql' || !existsSync(where.file))
      return notChecked(t('There is no secret yet. The first start generates it.'))
    const lost = config.encryption_secret
      ? t('all sessions')
      : t('all sessions and stored credentials')
    return problem(
      t(
        'The data folder has a database and no file jwt-secret, and JWT_SECRET is not set. The next start would generate another secret, and {lost} would be lost.',
        { lost },
      ),
      t(
        'Before the next start, restore the file jwt-secret from a backup, or set JWT_SECRET to its former value.',
      ),
    )
  },
}
