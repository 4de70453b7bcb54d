import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { kindOf } from '../../../db/open.ts'
import type { Check } from '../check.ts'
import { ok } from '../finding.ts'

/** Whether the database can be opened with these variables. */
export const database: Check = {
  name: 'database',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_DATA$/,
  async run({ database, config }) {
    const opened = await database()
    if ('failure' in opened) return opened.failure
    const { it: db } = opened
    if (kindOf(db) === 'sqlite') {
      await sql`select 1`.execute(db)
      return ok(t('The embedded database can be read.'))
    }
    const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
    return ok(
      t('{value} answers: {version}.', {
        value: config.database?.kind === 'mysql' ? config.database.host : '',
        version: rows[0]?.version,
      }),
    )
  },
}
