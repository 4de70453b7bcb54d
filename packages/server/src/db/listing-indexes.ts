import { sql } from 'kysely'
import { platformTables } from './platform.ts'

// what the platform's tables say of a list's order

/** True if the platform has an index that begins with this column. Of our own tables, the keys have one. */
export function isIndexed(table: string, column: string, sid: string) {
  const { index, unique } = platformTables[table]?.keys ?? {}
  return (
    column === sid || Object.values({ ...index, ...unique }).some(([first]) => first === column)
  )
}

/** True if the platform has an index with this column, which may cover all columns that a query reads. */
export function isInIndex(table: string, column: string) {
  const { primary, index, unique } = platformTables[table]?.keys ?? {}
  return [[primary], ...Object.values({ ...index, ...unique })].some((key) => key.includes(column))
}

/** A column that, with a sid, has more bytes than MariaDB copies of a row to sort it (`max_length_for_sort_data`). */
export function wideColumn(table: string) {
  const wide = Object.entries(platformTables[table]?.columns ?? {}).flatMap(([name, { is }]) => {
    const length = Number(/^varchar\((\d+)\)/.exec(is.type)?.[1] ?? 0)
    return length < 255 || is.optional ? [] : { name, length }
  })
  const [narrowest] = wide.sort((a, b) => a.length - b.length)
  return narrowest && sql.ref(`${table}.${narrowest.name}`)
}

export const typeOf = (table: string, column: string) =>
  platformTables[table]?.columns[column]?.is.type ?? ''
