import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { ScimError } from './errors.ts'
import { USER } from './resource.ts'

/** The attributes that filters may name, with their columns. Databases compare names without case. */
const COLUMNS: Record<string, 'text' | 'exact' | 'flag'> = {
  username: 'text',
  'emails.value': 'text',
  emails: 'text',
  externalid: 'exact',
  id: 'exact',
  active: 'flag',
}
const columnOf: Record<string, string> = {
  username: 'users.name',
  'emails.value': 'users.email',
  emails: 'users.email',
  externalid: 'i.external_id',
  id: 'users.user_sid',
  active: 'users.is_active',
}

const MAX_LENGTH = 2_000
const MAX_DEPTH = 20

const invalid = (detail: string) => new ScimError(400, detail, 'invalidFilter')

/** Throws 400 unless this is a filter. */
export function parsedFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid('The filter is too long')
  try {
    return parse(text)
  } catch {
    throw invalid('The filter is not valid')
  }
}

/** A condition on users and their identities. Values are parameters, never text of the query. */
export const condition = (text: string) => conditionOf(parsedFilter(text), 0)

function conditionOf(f: Filter, depth: number, within = ''): RawBuilder<SqlBool> {
  if (depth > MAX_DEPTH) throw invalid('The filter is too deep')
  switch (f.op) {
    case 'and':
    case 'or': {
      const parts = 'filters' in f ? f.filters : []
      const all = parts.map((part) => conditionOf(part, depth + 1, within))
      return sql<SqlBool>`(${sql.join(all, f.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql<SqlBool>`not (${conditionOf('filter' in f ? f.filter : f, depth + 1, within)})`
    case '[]':
      if (!('valFilter' in f)) throw invalid('The filter is not valid')
      return conditionOf(f.valFilter, depth + 1, `${f.attrPath}.`)
    default:
      return comparison(f, within)
  }
}

const PREFIX = `${USER.toLowerCase()}:`

function comparison(f: Filter, within: string): RawBuilder<SqlBool> {
  if (!('attrPath' in f)) throw invalid('The filter is not valid')
  const name = `${within}${f.attrPath}`.toLowerCase().replace(PREFIX, '')
  // users have one address here, whatever its type
  if (name === 'emails.type' || name === 'emails.primary') return sql<SqlBool>`1 = 1`
  const kind = Object.hasOwn(COLUMNS, name) ? COLUMNS[name]! : undefined
  if (!kind)
    throw invalid(
      `Filter by userName, externalId, id, active or emails.value, not by ${f.attrPath}`,
    )
  const column = sql.ref(columnOf[name]!)
  if (f.op === 'pr') return sql<SqlBool>`${column} is not null`
  const value = 'compValue' in f ? f.compValue : null
  if (kind === 'flag') {
    const wanted = flagOf(value)
    if ((f.op !== 'eq' && f.op !== 'ne') || wanted === undefined)
      throw invalid('Compare active with true or false')
    return f.op === 'eq'
      ? sql<SqlBool>`${column} = ${wanted}`
      : sql<SqlBool>`${column} <> ${wanted}`
  }
  if (typeof value !== 'string') throw invalid(`Compare ${f.attrPath} with a text`)
  switch (f.op) {
    case 'eq':
      return sql<SqlBool>`${column} = ${value}`
    case 'ne':
      return sql<SqlBool>`(${column} is null or ${column} <> ${value})`
    case 'sw':
      return like(column, `${escaped(value)}%`)
    case 'ew':
      return like(column, `%${escaped(value)}`)
    case 'co':
      return like(column, `%${escaped(value)}%`)
    default:
      throw invalid(`${f.op} is not supported. Use eq, ne, sw, ew, co or pr`)
  }
}

const like = (column: RawBuilder<unknown>, pattern: string) =>
  sql<SqlBool>`${column} like ${pattern} escape '|'`
const escaped = (text: string) => text.replace(/[|%_]/g, '|$&')

const flagOf = (value: unknown) =>
  value === true || String(value).toLowerCase() === 'true'
    ? 1
    : value === false || String(value).toLowerCase() === 'false'
      ? 0
      : undefined
