import { type CreateTableBuilder, sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'

/**
 * Creates one of our tables with single-column indexes. Uses exact text comparison, whatever the database's
 * default. Repeatable, because MySQL keeps half a migration after a crash.
 */
export async function createOwnTable<C extends string, I extends C>(
  db: Db,
  name: `switchroom_${string}`,
  columns: (table: CreateTableBuilder<string>) => CreateTableBuilder<string, C>,
  indexes: I[] = [],
) {
  let table = columns(db.schema.createTable(name).ifNotExists())
  const nameOf = (column: string) => `${name}_${column}`
  if (kindOf(db) === 'mysql') {
    for (const column of indexes) table = table.addIndex(nameOf(column), [column])
    table = table.modifyEnd(sql`engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin`)
    return table.execute()
  }
  await table.execute()
  for (const column of indexes)
    await sql`create index if not exists ${sql.ref(nameOf(column))}
      on ${sql.table(name)} (${sql.ref(column)})`.execute(db)
}
