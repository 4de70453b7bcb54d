import { sql } from 'kysely'
import { type Db, kindOf } from './open.ts'
import { platformTables } from './platform.ts'

/** The columns of each table. */
export type Shape = Map<string, Set<string>>

export async function shapeOf(db: Db): Promise<Shape> {
  const { rows } = await (kindOf(db) === 'mysql'
    ? sql<{ of: string; name: string }>`
        select table_name as of, column_name as name from information_schema.columns
        where table_schema = database()`
    : sql<{ of: string; name: string }>`
        select t.name as of, c.name as name from sqlite_schema t, pragma_table_info(t.name) c
        where t.type in ('table', 'view')`
  ).execute(db)
  const tables: Shape = new Map()
  for (const { of, name } of rows) tables.set(of, (tables.get(of) ?? new Set()).add(name))
  return tables
}

/** Tables and columns that every platform version has and this database lacks: `table x`, `column x.y`. */
export const missingFromPlatform = (shape: Shape) =>
  Object.entries(platformTables).flatMap(([name, { columns, keys }]) => {
    const existing = shape.get(name)
    if (!existing) return keys.optional ? [] : [`table ${name}`]
    return Object.keys(columns)
      .filter((column) => !columns[column]!.is.optional && !existing.has(column))
      .map((column) => `column ${name}.${column}`)
  })
