import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { type Db, kindOf } from '../../../db/open.ts'
import { platformTables } from '../../../db/platform.ts'
import { pendingMigrations } from '../../../db/prepare.ts'
import { type Shape, shapeOf } from '../../../db/shape.ts'
import { errorNumber } from '../../../errors/members.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'

/** Without a right on a column, a table, or the database. */
const DENIED = new Set([1142, 1143, 1044, 1227])
/** A server or a transaction that only reads, or a Galera node outside its cluster. */
const READ_ONLY = new Set([1290, 1792, 1836, 1047])

const NEVER = sql`where 1 = 0`
const RIGHTS = {
  select: (table: string) => sql`select 1 from ${sql.table(table)} ${NEVER}`,
  insert: (table: string) =>
    sql`insert into ${sql.table(table)} select * from ${sql.table(table)} ${NEVER}`,
  update: (table: string, column: string) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} ${NEVER}`,
  delete: (table: string) => sql`delete from ${sql.table(table)} ${NEVER}`,
}
type Right = keyof typeof RIGHTS

/**
 * Whether the user may do what the server does. Each right is tried by a statement that changes no row, in a
 * transaction that is rolled back: what the grants say depends on roles, wildcards and versions.
 */
export const databaseRights: Check = {
  name: 'database_rights',
  needs: /^JAMBONES_MYSQL_/,
  async run({ database, config }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const { it: db } = opened
    // a file's rights are those of the data folder
    if (kindOf(db) === 'sqlite' || config.database?.kind !== 'mysql') return undefined
    const { user, database: name } = config.database
    const grant = (rights: string) => `grant ${rights} on \`${name}\`.* to '${user}'@'<host>'`
    const shape = await shapeOf(db)
    const missing = await missingRights(db, shape)
    if (missing === 'read-only')
      return problem(
        t('The database accepts no writes: it is read-only, as a replica is.'),
        t('Point JAMBONES_MYSQL_HOST to the primary server, or turn its read_only off.'),
      )
    const found: Finding[] = []
    if (missing.length > 0) {
      const on = [...new Set(missing.map(({ table }) => table))]
      const rights = [...new Set(missing.map(({ right }) => right))].join(', ')
      found.push(
        problem(
          t('The database user "{user}" lacks the right to {rights} on {value}.', {
            user,
            rights,
            value:
              on.length === 1
                ? on[0]
                : t('{count} tables, such as {example}', { count: on.length, example: on[0] }),
          }),
          t('As an administrator of the database: {grant}', {
            grant: grant('select, insert, update, delete, create, alter, index, references'),
          }),
        ),
      )
    }
    if (!(await mayCreate(db, shape))) found.push(await creationFinding(db, shape, user, grant))
    return found.length > 0
      ? found
      : ok(t('The user "{user}" may read, write and create tables.', { user }))
  },
}

async function missingRights(db: Db, shape: Shape) {
  const ours = [...shape].filter(
    ([table]) => table.startsWith('switchroom_') || table in platformTables,
  )
  return db.connection().execute(async (connection) => {
    await sql`set session lock_wait_timeout = 2`.execute(connection)
    await sql`begin`.execute(connection)
    const missing: { right: Right; table: string }[] = []
    try {
      for (const [table, [column = '']] of ours.map(([t, c]) => [t, [...c]] as const))
        for (const right of Object.keys(RIGHTS) as Right[])
          try {
            await RIGHTS[right](table, column).execute(connection)
          } catch (e) {
            const errno = errorNumber(e, 'errno') ?? 0
            if (READ_ONLY.has(errno)) return 'read-only'
            if (DENIED.has(errno)) missing.push({ right, table })
            // rights are checked first, so that any other refusal of the server says that they are there
            else if (errno <= 0) throw e
          }
      return missing
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

/** Creating a table that exists does nothing, and is refused without the right. */
async function mayCreate(db: Db, shape: Shape) {
  const table = [...shape.keys()].find((name) => name in platformTables)
  // nothing to try it on: the first start finds out
  if (!table) return true
  try {
    await sql`create table if not exists ${sql.table(table)} (nothing int)`.execute(db)
    return true
  } catch (e) {
    if (DENIED.has(errorNumber(e, 'errno') ?? 0)) return false
    throw e
  }
}

async function creationFinding(
  db: Db,
  shape: Shape,
  user: string,
  grant: (rights: string) => string,
): Promise<Finding> {
  const isPrepared =
    shape.has('switchroom_migrations') && (await pendingMigrations(db)).length === 0
  const finding = isPrepared ? warning : problem
  return finding(
    t('The database user "{user}" may not create tables, which {value}.', {
      user,
      value: isPrepared
        ? t('the next upgrade of Switchroom may need')
        : t('Switchroom needs for its own'),
    }),
    t('As an administrator of the database: {grant}', {
      grant: grant('create, alter, index, references'),
    }),
  )
}
