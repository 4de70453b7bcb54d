import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { existingSecret } from '../../../config/kept-secret.ts'
import { shapeOf } from '../../../db/shape.ts'
import { isSealed, secretBox } from '../../../secrets/secret-box.ts'
import type { Check } from '../check.ts'
import { notChecked, ok, problem, warning } from '../finding.ts'
import type { Site } from '../site.ts'

/** Where the server or the platform's components store what they encrypt. */
const COLUMNS = [
  ['speech_credentials', 'credential'],
  ['accounts', 'bucket_credential'],
  ['clients', 'password'],
  ['applications', 'env_vars'],
  ['switchroom_alert_destinations', 'sealed_secret'],
  ['switchroom_event_subscriptions', 'sealed_secret'],
  ['switchroom_totp', 'sealed_secret'],
  ['switchroom_single_sign_on', 'sealed_secret'],
] as const
/** Of each column. */
const SAMPLES = 20

/** Whether the secret of this set-up decrypts what is stored. */
export const storedSecrets: Check = {
  name: 'stored_secrets',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_DATA$|^(?:JWT|ENCRYPTION)_SECRET$/,
  async run(site) {
    const opened = await site.database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const secret = secretOf(site)
    if (!secret) return notChecked(t('There is no secret to decrypt with.'))
    const { it: db } = opened
    const shape = await shapeOf(db)
    const box = secretBox({ secret, legacy: false })
    const closed: string[] = []
    let samples = 0
    for (const [table, column] of COLUMNS) {
      if (!shape.get(table)?.has(column)) continue
      const { rows } = await sql<{ value: string }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} is not null limit ${sql.lit(SAMPLES)}`.execute(db)
      const sealed = rows.map(({ value }) => String(value)).filter(isSealed)
      samples += sealed.length
      closed.push(
        ...sealed.filter((value) => box.open(value) === undefined).map(() => `${table}.${column}`),
      )
    }
    return findingOf(samples, closed, site)
  },
}

function secretOf({ config }: Site) {
  const set = config.encryption_secret ?? config.jwt_secret
  if (set !== undefined) return set
  try {
    return existingSecret(config.data, 'jwt-secret')
  } catch {
    // the check of secrets says why
    return undefined
  }
}

function findingOf(samples: number, closed: string[], { config }: Site) {
  if (samples === 0) return ok(t('Nothing encrypted is stored yet.'))
  if (closed.length === 0)
    return ok(t('All of {samples} encrypted values tried can be decrypted.', { samples }))
  const variable = config.encryption_secret ? 'ENCRYPTION_SECRET' : 'JWT_SECRET'
  const where = [...new Set(closed)].join(', ')
  // a wrong key opens a short text by chance
  if (closed.length > samples / 2)
    return problem(
      t('{value} does not decrypt what is stored: {closed} of {samples} values in {where}.', {
        value: config.encryption_secret || config.jwt_secret ? variable : t('The generated secret'),
        closed: closed.length,
        samples,
        where,
      }),
      config.encryption_secret
        ? t(
            'Set ENCRYPTION_SECRET to the value that the platform’s components have, or had when these were stored.',
          )
        : t(
            'Set ENCRYPTION_SECRET to the value that the platform’s components have, or had when these were stored. Without it, JWT_SECRET is used.',
          ),
    )
  return warning(
    t('{closed} of {samples} encrypted values tried were stored with another secret: {where}.', {
      closed: closed.length,
      samples,
      where,
    }),
    t('Enter these credentials again in the console. The others work.'),
  )
}
