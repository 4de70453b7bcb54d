import { sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'

type ColumnType = 'integer' | 'bigint' | 'text' | 'mediumtext' | `varchar(${number})`
type Constraint =
  | ''
  | ' primary key'
  | ' not null'
  | ' unique'
  | ' not null unique'
  | ` default ${string}`

/**
 * Creates one of our tables, its columns as both databases spell them, but for `indexed`: an index of that column.
 * Uses exact text comparison, whatever the database's default. Repeatable, because MySQL keeps half a migration after
 * a crash.
 */
export async function createOwnTable<C extends string>(
  db: Db,
  name: `switchroom_${string}`,
  columns: Record<C, `${ColumnType}${Constraint}${'' | ' indexed'}`>,
  keys: {
    primary?: NoInfer<C>[]
    unique?: Record<string, NoInfer<C>[]>
    /** Keeps rows in the order of their key, as InnoDB does: a span of keys is read from one place. */
    isOrdered?: boolean
  } = {},
) {
  const nameOf = (key: string) => `${name}_${key}`
  const indexes: string[] = []
  let table = db.schema.createTable(name).ifNotExists()
  for (const [column, type] of Object.entries<string>(columns)) {
    if (type.endsWith(' indexed')) indexes.push(column)
    table = table.addColumn(column, sql.raw(type.replace(/ indexed$/, '')))
  }
  if (keys.primary) table = table.addPrimaryKeyConstraint(nameOf('key'), keys.primary as never[])
  for (const [key, of] of Object.entries(keys.unique ?? {}))
    table = table.addUniqueConstraint(nameOf(key), of as never[])
  if (kindOf(db) === 'mysql') {
    for (const column of indexes) table = table.addIndex(nameOf(column), [column as never])
    table = table.modifyEnd(sql`engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin`)
    return table.execute()
  }
  await (keys.isOrdered ? table.modifyEnd(sql`without rowid`) : table).execute()
  for (const column of indexes)
    await sql`create index if not exists ${sql.ref(nameOf(column))}
      on ${sql.table(name)} (${sql.ref(column)})`.execute(db)
}
