import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** A thing that a cell may name. */
export type Named = {
  sid: string
  name: string
  account_sid: string | null
  service_provider_sid: string | null
}

const TABLES = {
  accounts: ['account_sid', 'account_sid', 'service_provider_sid'],
  applications: ['application_sid', 'account_sid', null],
  voip_carriers: ['voip_carrier_sid', 'account_sid', 'service_provider_sid'],
} as const

const key = (text: string) => text.toLowerCase()

/** What these cells name, by name or by sid: in one query for all of them. Not yet judged by anybody's scope. */
export async function namedBy(
  db: Db,
  table: keyof typeof TABLES,
  cells: (string | null)[],
): Promise<(cell: string) => Named[]> {
  const wanted = [...new Set(cells.filter((c): c is string => !!c))]
  const found = new Map<string, Named[]>()
  if (wanted.length > 0) {
    const [sid, account, provider] = TABLES[table]
    const list = sql.join(wanted)
    const { rows } = await sql<Named>`
      select ${sql.ref(sid)} as sid, name, ${sql.ref(account)} as account_sid,
        ${provider ? sql.ref(provider) : sql.lit(null)} as service_provider_sid
      from ${sql.table(table)} where name in (${list}) or ${sql.ref(sid)} in (${list})`.execute(db)
    for (const row of rows)
      for (const name of new Set([key(row.name), key(row.sid)]))
        found.set(name, [...(found.get(name) ?? []), row])
  }
  return (cell) => found.get(key(cell)) ?? []
}
