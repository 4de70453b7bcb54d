import { t } from '@switchroom/contract'
import { MIGRATIONS, pendingMigrations, unknownMigrations } from '../../../db/prepare.ts'
import { shapeOf } from '../../../db/shape.ts'
import type { Check } from '../check.ts'
import { named, notChecked, ok, problem } from '../finding.ts'

/** Whether this version and the database fit. */
export const migrations: Check = {
  name: 'migrations',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_DATA$/,
  async run({ database, isServer }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const { it: db } = opened
    if (!(await shapeOf(db)).has(MIGRATIONS))
      return ok(t('Switchroom has not used this database yet. The next start adds its own tables.'))
    const newer = await unknownMigrations(db)
    if (newer.length > 0)
      return problem(
        t('A newer version of Switchroom has changed the database: {named}.', {
          named: named(newer),
        }),
        isServer
          ? t('Update this server to that version.')
          : t('Start that version, or restore a backup from before the upgrade.'),
      )
    const pending = await pendingMigrations(db)
    return pending.length > 0
      ? ok(t('The next start applies {named}.', { named: named(pending) }))
      : ok(t('All migrations of this version are applied.'))
  },
}
