import { labelOf, t } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'

/** A row that a cell may reference by name. */
export type NamedRow = {
  sid: string
  name: string
  account_sid: string | null
  service_provider_sid: string | null
}

const TABLES = {
  accounts: ['account_sid', 'account_sid', 'service_provider_sid'],
  applications: ['application_sid', 'account_sid', null],
  service_providers: ['service_provider_sid', null, 'service_provider_sid'],
  voip_carriers: ['voip_carrier_sid', 'account_sid', 'service_provider_sid'],
} as const

const key = (text: string) => text.toLowerCase()

/** Rows that these cells reference, by name or sid, in one query. Not limited to a scope yet. */
export async function namedBy(
  db: Db,
  table: keyof typeof TABLES,
  cells: (string | null)[],
): Promise<(cell: string) => NamedRow[]> {
  const wanted = [...new Set(cells.filter((c): c is string => !!c))]
  const found = new Map<string, NamedRow[]>()
  if (wanted.length > 0) {
    const [sid, account, provider] = TABLES[table]
    const list = sql.join(wanted)
    const { rows } = await sql<NamedRow>`
      select ${sql.ref(sid)} as sid, name,
        ${account ? sql.ref(account) : sql.lit(null)} as account_sid,
        ${provider ? sql.ref(provider) : sql.lit(null)} as service_provider_sid
      from ${sql.table(table)} where name in (${list}) or ${sql.ref(sid)} in (${list})`.execute(db)
    for (const row of rows)
      for (const name of new Set([key(row.name), key(row.sid)]))
        found.set(name, [...(found.get(name) ?? []), row])
  }
  return (cell) => found.get(key(cell)) ?? []
}

/**
 * Like `namedBy`, for references to other rows: queries each name once. A row that is deleted later stops the insert by
 * its foreign key.
 */
export function references() {
  const known = new Map<string, Promise<(cell: string) => NamedRow[]>>()
  return async (db: Db, table: keyof typeof TABLES, cells: (string | null)[]) => {
    const wanted = [...new Set(cells.filter((c): c is string => !!c))]
    const unknown = wanted.filter((cell) => !known.has(`${table} ${cell}`))
    const found = namedBy(db, table, unknown)
    for (const cell of unknown) known.set(`${table} ${cell}`, found)
    const rows = new Map<string, NamedRow[]>()
    for (const cell of wanted) rows.set(cell, (await known.get(`${table} ${cell}`)!)(cell))
    return (cell: string) => rows.get(cell) ?? []
  }
}

/** Why a cell is invalid. */
export type Bad = { column: string; message: string }
export const isBad = (found: object): found is Bad => 'message' in found

/** The one row that a cell references, or the reason there is none. */
export function exactlyOne(found: NamedRow[], column: string): NamedRow | Bad {
  if (found.length === 1) return found[0]!
  const what = labelOf([column])
  const message =
    found.length === 0
      ? t('No such {what}', { what })
      : t('More than one has this name. Use the {what}’s sid', { what })
  return { column, message }
}

type Owner = { account_sid: string; service_provider_sid: string }

/**
 * The account of a row: the one its cell names if the caller may see it, else the caller's own, or none.
 * `provider`: whose account names the file uses.
 */
export function ownerOf(
  scope: Scope,
  provider: string | undefined,
  accounts: (cell: string) => NamedRow[],
  cell: string | null,
): Owner | Bad | undefined {
  if (!cell)
    return scope.role === 'account'
      ? { account_sid: scope.account_sid, service_provider_sid: scope.service_provider_sid }
      : undefined
  const seen = accounts(cell).filter(
    (account) =>
      (scope.role === 'admin' || account.service_provider_sid === scope.service_provider_sid) &&
      (scope.role !== 'account' || account.account_sid === scope.account_sid) &&
      (!provider || account.service_provider_sid === provider),
  )
  const account = exactlyOne(seen, 'account')
  if (isBad(account)) return account
  return { account_sid: account.sid, service_provider_sid: account.service_provider_sid! }
}

/** Remembers values of rows: returns the earlier line of a repeated value. The same row may be passed again. */
export function firstOf() {
  const seen = new Map<string, number>()
  return (line: number, ...parts: string[]): number | undefined => {
    const same = parts.join(' ').toLowerCase()
    const before = seen.get(same)
    if (before === undefined) seen.set(same, line)
    return before === line ? undefined : before
  }
}
