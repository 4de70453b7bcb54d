import { searchText } from '@switchroom/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

const pattern = (text: string) => `%${text.replace(/[|%_]/g, '|$&')}%`

/** Matches columns that contain this text. SQL wildcards are escaped. */
export const contains = (column: string, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like ${pattern(text)} escape '|'`

/** The same in a column of our own tables, which compare case on MariaDB. */
export const containsInAnyCase = (column: string, text: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern(text.toLowerCase())} escape '|'`

/** At least the first of a sid's groups. */
const SID_START = /^[\da-f]{8}(?:-[\da-f-]{0,27})?$/i

/**
 * The beginning of a sid, in lower case; undefined if what was typed is none. Two groups of a sid may have no letters: then
 * it may also be a number with an extension.
 */
export function sidStartOf(typed: string): string | undefined {
  const { text, digits } = searchText(typed)
  const isOnlyNumber = digits !== undefined && !text.includes('-')
  return SID_START.test(text) && !isOnlyNumber ? text.toLowerCase() : undefined
}

/** Matches rows whose sid is what was typed, or begins with it; undefined if no sid does. By the index of the sid. */
export function hasSid(column: string, typed: string): RawBuilder<SqlBool> | undefined {
  const { sid } = searchText(typed)
  if (sid) return sql`${sql.ref(column)} = ${sid}`
  const sidStart = sidStartOf(typed)
  if (!sidStart) return undefined
  // no sid has a g, which sorts behind all that it may have
  return sql`${sql.ref(column)} between ${sidStart} and ${`${sidStart}g`}`
}

type Columns = {
  sid: string
  names: string[]
  /** Columns that may hold phone numbers, found by their digits too. */
  numbers?: string[]
}

/** Matches rows that what was typed into a list's filter names. For tables that are scanned anyway. */
export function matchesFilter(
  { sid, names, numbers = [] }: Columns,
  typed: string,
): RawBuilder<SqlBool> {
  const { text, digits } = searchText(typed)
  const conditions = [...names, ...numbers].map((column) => contains(column, text))
  if (digits && digits !== text)
    conditions.push(...numbers.map((column) => contains(column, digits)))
  const bySid = hasSid(sid, typed)
  if (bySid) conditions.push(bySid)
  return sql`(${sql.join(conditions, sql` or `)})`
}
