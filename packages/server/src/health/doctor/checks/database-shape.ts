import { DatabaseSync } from 'node:sqlite'
import { t } from '@switchroom/contract'
import { onSqlite } from '../../../db/open.ts'
import { MIGRATIONS, migrate, pendingMigrations, progressOf } from '../../../db/prepare.ts'
import { missingFromPlatform, type Shape, shapeOf } from '../../../db/shape.ts'
import type { Check } from '../check.ts'
import { notChecked, ok, problem, shortList } from '../finding.ts'

/** Checks that the tables and columns that this version uses exist. */
export const databaseShape: Check = {
  name: 'database_shape',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_DATA$/,
  async run({ database }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const { it: db } = opened
    const shape = await shapeOf(db)
    if (shape.size === 0) return ok(t('The database is empty. The first start fills it.'))
    if ((await progressOf(db, shape)) === 'creating')
      return ok(
        t('An earlier start was interrupted while it created the tables. The next one goes on.'),
      )
    const lacking = missingFromPlatform(shape)
    if (lacking.length > 0)
      return problem(
        t('The database lacks {named}. Switchroom does not start without them.', {
          named: shortList(lacking),
        }),
        t(
          'Upgrade the platform’s tables with its own tools, restore the database from a backup, or give Switchroom an empty database.',
        ),
      )
    const isPrepared = shape.has(MIGRATIONS) && (await pendingMigrations(db)).length === 0
    const own = isPrepared ? missingOwn(shape, await expectedOwn()) : []
    if (own.length > 0)
      return problem(
        t('The database lacks {named}, which Switchroom has created once.', {
          named: shortList(own),
        }),
        t(
          'They were deleted, or a dump was incomplete. Restore the database from a complete backup.',
        ),
      )
    return ok(t('All {size} tables have the columns that this version uses.', { size: shape.size }))
  },
}

/** Our tables as this version's migrations make them. */
async function expectedOwn(): Promise<Shape> {
  const db = onSqlite(new DatabaseSync(':memory:'))
  try {
    await migrate(db)
    return await shapeOf(db)
  } finally {
    await db.destroy()
  }
}

const missingOwn = (shape: Shape, expected: Shape) =>
  [...expected]
    .filter(([table]) => table.startsWith('switchroom_'))
    .flatMap(([table, columns]) => {
      const existing = shape.get(table)
      if (!existing) return [t('table {table}', { table })]
      return [...columns]
        .filter((column) => !existing.has(column))
        .map((column) => t('column {table}.{column}', { table, column }))
    })
