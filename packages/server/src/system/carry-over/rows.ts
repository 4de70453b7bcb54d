import { sql } from 'kysely'
import { type Db, timestamp } from '../../db/open.ts'
import { platformTables } from '../../db/platform.ts'
import { isSealed, type SecretBox } from '../../secrets/secret-box.ts'
import { maskedUrls } from '../../secrets/without-secrets.ts'
import { WITHOUT } from './tables.ts'

export type Row = Record<string, unknown>

export const allOf = async (db: Db, table: string) =>
  (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows

const NAMES = [
  'name',
  'number',
  'username',
  'tenant_fqdn',
  'label',
  'vendor',
  'ipv4',
  'regex',
  'url',
]

/** Name of a row, or its sid if it has none. Reads no other column: it may be a secret. */
export function nameOf(row: Row) {
  const sids = Object.keys(row).filter((name) => name.endsWith('_sid'))
  const column = [...NAMES, ...sids].find((name) => typeof row[name] === 'string')
  return column ? maskedUrls(String(row[column])) : ''
}

const DATES = ['datetime', 'timestamp']

export type Translation = {
  /** The secrets of both installations. */
  from: SecretBox
  to: SecretBox
  /** The sids there of resources that have another one. */
  renamed: ReadonlyMap<string, string>
  /** The columns that the table has there. */
  columns: ReadonlySet<string>
}

/** A row as the other installation stores it. `onProblem` is called for values that cannot be stored there. */
export function translate(
  table: string,
  row: Row,
  { from, to, renamed, columns }: Translation,
  onProblem: (why: string) => void,
): Row {
  const translated: Row = {}
  for (const [column, value] of Object.entries(row)) {
    if (!columns.has(column)) {
      if (value !== null) onProblem(`there is no column ${column} there`)
      continue
    }
    translated[column] = WITHOUT[table]?.includes(column)
      ? null
      : typeof value !== 'string'
        ? value
        : DATES.includes(platformTables[table]?.columns[column]?.is.type ?? '')
          ? timestamp(new Date(value))
          : (renamed.get(value) ??
            sealedAgain(value, from, to, () =>
              onProblem(`${column} cannot be decrypted: is the old secret right?`),
            ))
  }
  return translated
}

function sealedAgain(value: string, from: SecretBox, to: SecretBox, onFailure: () => void) {
  if (!isSealed(value)) return value
  const text = from.open(value)
  if (text === undefined) {
    onFailure()
    return value
  }
  return to.seal(text)
}
