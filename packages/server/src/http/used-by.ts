import { t, type Usage } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from '../db/open.ts'

const SHOWN = 20

/** Name of a table's rows, and the columns that identify and name one. */
const TABLES = {
  accounts: [t('Accounts'), 'account_sid', 'name'],
  // keys have no name, so the sid stands in for one
  api_keys: [t('API keys'), 'api_key_sid', 'api_key_sid'],
  applications: [t('Applications'), 'application_sid', 'name'],
  call_routes: [t('Call routes'), 'call_route_sid', 'regex'],
  lcr_routes: [t('Outbound call routing'), 'lcr_route_sid', 'regex'],
  ms_teams_tenants: [t('Microsoft Teams tenants'), 'ms_teams_tenant_sid', 'tenant_fqdn'],
  phone_numbers: [t('Phone numbers'), 'phone_number_sid', 'number'],
  users: [t('Users'), 'user_sid', 'name'],
  voip_carriers: [t('Carriers'), 'voip_carrier_sid', 'name'],
} as const satisfies Partial<Record<keyof Tables, readonly [string, string, string]>>

type Blocking = keyof typeof TABLES
/** Name of these rows in `used_by`. */
export const kindOf = (table: Blocking) => TABLES[table][0]

/**
 * Counts the rows of a table that block a deletion, and lists the first ones by name. At most two queries.
 */
export async function usage(db: Db, table: Blocking, where: RawBuilder<unknown>): Promise<Usage> {
  const [kind, sid, name] = TABLES[table]
  const from = sql`from ${sql.table(table)} where ${where}`
  const { rows: items } = await sql<{ sid: string; name: string }>`
    select ${sql.ref(sid)} as sid, ${sql.ref(name)} as name ${from} order by ${sql.ref(name)} limit ${sql.lit(SHOWN)}`.execute(
    db,
  )
  if (items.length < SHOWN) return { kind, total: items.length, items: items.map(plain) }
  const { rows } = await sql<{ n: number }>`select count(*) as n ${from}`.execute(db)
  return { kind, total: Number(rows[0]?.n ?? items.length), items: items.map(plain) }
}

const plain = (item: { sid: string; name: string | null }) => ({
  sid: item.sid,
  name: item.name ?? '',
})
