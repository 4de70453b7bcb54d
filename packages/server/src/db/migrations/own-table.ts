import { type CreateTableBuilder, sql } from 'kysely'
import { type Db, kindOf } from '../open.ts'

/**
 * A table of ours with indexes on single columns. It holds any text and compares it exactly, whatever
 * the platform's database has as its default. MySQL keeps half a migration when we are killed in it, so
 * all of this can be done again.
 */
export async function createOwnTable<C extends string>(
  db: Db,
  name: `switchroom_${string}`,
  columns: (table: CreateTableBuilder<string>) => CreateTableBuilder<string, C>,
  indexes: NoInfer<C>[] = [],
) {
  let table = columns(db.schema.createTable(name).ifNotExists())
  const nameOf = (column: string) => `${name}_${column}`
  if (kindOf(db) === 'mysql') {
    for (const column of indexes) table = table.addIndex(nameOf(column), [column as C])
    table = table.modifyEnd(sql`engine=InnoDB default charset=utf8mb4 collate=utf8mb4_bin`)
    return table.execute()
  }
  await table.execute()
  for (const column of indexes)
    await sql`create index if not exists ${sql.ref(nameOf(column))}
      on ${sql.table(name)} (${sql.ref(column)})`.execute(db)
}
