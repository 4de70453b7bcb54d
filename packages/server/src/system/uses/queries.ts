import {
  AUDIT_KINDS,
  type AuditKind,
  type ThingUse,
  t,
  USES_MAX,
  type UsedKind,
} from '@switchroom/contract'
import { sql } from 'kysely'
import * as applications from '../../applications/queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import { found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { kindOf } from '../../http/used-by.ts'
import * as speech from '../../speech/speech-credentials/queries.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'

// Above all wings but part of none: users of an account or a carrier are in rooms from tenants to routing.

const SHOWN = 20
/**
 * Up to this many rows are sorted by name. Of more, any are shown, since sorting a million rows for 20 takes seconds.
 */
const SORTED = 200

/** Tables whose rows use others: the name of a row's kind, and the columns that identify and name it. */
const TABLES = {
  accounts: ['account', 'account_sid', 'name'],
  // keys have no name, so the sid stands in for one
  api_keys: ['api_key', 'api_key_sid', 'api_key_sid'],
  applications: ['application', 'application_sid', 'name'],
  clients: ['client', 'client_sid', 'username'],
  lcr: ['lcr', 'lcr_sid', 'name'],
  ms_teams_tenants: ['ms_teams_tenant', 'ms_teams_tenant_sid', 'tenant_fqdn'],
  phone_numbers: ['phone_number', 'phone_number_sid', 'number'],
  speech_credentials: ['speech_credential', 'speech_credential_sid', 'vendor'],
  users: ['user', 'user_sid', 'name'],
  voip_carriers: ['voip_carrier', 'voip_carrier_sid', 'name'],
} as const satisfies Record<string, readonly [AuditKind, string, string]>
type Using = keyof typeof TABLES

const LABELS: Record<Using, string> = {
  accounts: kindOf('accounts'),
  api_keys: kindOf('api_keys'),
  applications: kindOf('applications'),
  clients: t('SIP clients'),
  lcr: AUDIT_KINDS.lcr,
  ms_teams_tenants: kindOf('ms_teams_tenants'),
  phone_numbers: kindOf('phone_numbers'),
  speech_credentials: t('Speech services'),
  users: kindOf('users'),
  voip_carriers: kindOf('voip_carriers'),
}

type Where = ReturnType<typeof sql>
type Part = { table: Using; where: Where; blocks: boolean }

const blocking = (table: Using, where: Where): Part => ({ table, where, blocks: true })
const others = (table: Using, where: Where): Part => ({ table, where, blocks: false })

/** Rows of one table that the caller may see. At most two queries, neither of which reads more than `USES_MAX` rows. */
async function use(db: Db, scope: Scope, { table, where, blocks }: Part): Promise<ThingUse> {
  const [of, sid, name] = TABLES[table]
  const from = sql`from ${sql.table(table)} where ${where} and ${ownedBy(table, scope)}`
  const { rows } = await sql<{ sid: string; name: string | null }>`
    select ${sql.ref(sid)} as sid, ${sql.ref(name)} as name ${from} limit ${sql.lit(SORTED)}`.execute(
    db,
  )
  const items = rows
    .map((row) => ({ sid: row.sid, name: row.name ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
  const total = rows.length < SORTED ? rows.length : await count(db, from)
  return { kind: LABELS[table], of, blocks, total, items }
}

async function count(db: Db, from: Where) {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 as one ${from} limit ${sql.lit(USES_MAX)}) as counted`.execute(
    db,
  )
  return Number(rows[0]?.n)
}

type Ask = { db: Db; scope: Scope; sid: string }

/** Routing tables of others that use one of this account's carriers. */
const foreignTables = (account_sid: string) =>
  sql`(account_sid is null or account_sid <> ${account_sid}) and ${tablesWith(
    sql`(select voip_carrier_sid from voip_carriers where account_sid = ${account_sid})`,
  )}`

const tablesWith = (carriers: Where) =>
  sql`lcr_sid in (select r.lcr_sid from lcr_carrier_set_entry e
    join lcr_routes r on r.lcr_route_sid = e.lcr_route_sid where e.voip_carrier_sid in ${carriers})`

/** The tables that may use a thing, once it is known that the caller sees it. Throws 404. */
const PARTS: Record<UsedKind, (ask: Ask) => Promise<Part[]>> = {
  async service_provider({ db, scope, sid }) {
    found(await serviceProviders.find(db, scope, sid), t('service provider'))
    const own = sql`service_provider_sid = ${sid}`
    return [
      blocking('accounts', own),
      blocking('users', own),
      blocking('phone_numbers', own),
      blocking('ms_teams_tenants', own),
    ]
  },

  async account({ db, scope, sid }) {
    found(await accounts.findVisible(db, scope, sid), t('account'))
    const own = sql`account_sid = ${sid}`
    return [
      blocking('applications', own),
      blocking('phone_numbers', own),
      blocking('ms_teams_tenants', own),
      blocking('api_keys', own),
      others('users', own),
      others('clients', own),
      others('voip_carriers', own),
      others('speech_credentials', own),
      others('lcr', own),
      blocking('lcr', foreignTables(sid)),
    ]
  },

  async application({ db, scope, sid }) {
    found(await applications.find(db, scope, sid), t('application'))
    const its = sql`application_sid = ${sid}`
    return [
      blocking('phone_numbers', its),
      blocking('voip_carriers', its),
      blocking('ms_teams_tenants', its),
      blocking(
        'accounts',
        sql`(device_calling_application_sid = ${sid} or siprec_hook_sid = ${sid})`,
      ),
    ]
  },

  async voip_carrier({ db, scope, sid }) {
    found(await carriers.find(db, scope, sid), t('carrier'))
    return [
      blocking('phone_numbers', sql`voip_carrier_sid = ${sid}`),
      blocking('lcr', tablesWith(sql`(${sid})`)),
    ]
  },

  async speech_credential({ db, scope, sid }) {
    const row = found(await speech.findAnywhere(db, scope, sid), t('speech service'))
    const owner = row.account_sid
      ? sql`account_sid = ${row.account_sid}`
      : sql`account_sid in (select account_sid from accounts where service_provider_sid = ${row.service_provider_sid})`
    const names = (who: string) =>
      sql`(${sql.ref(`${who}_vendor`)} = ${row.vendor} and coalesce(${sql.ref(`${who}_label`)}, '') = ${row.label ?? ''})`
    const any = sql.join(
      [
        'speech_synthesis',
        'speech_recognizer',
        'fallback_speech_synthesis',
        'fallback_speech_recognizer',
      ].map(names),
      sql` or `,
    )
    return [others('applications', sql`${owner} and (${any})`)]
  },
}

/** Uses of a resource, most important first; only those that exist. */
export async function usesOf(
  db: Db,
  scope: Scope,
  kind: UsedKind,
  sid: string,
): Promise<ThingUse[]> {
  const parts = await PARTS[kind]({ db, scope, sid })
  const all = await Promise.all(parts.map((part) => use(db, scope, part)))
  return all.filter(({ total }) => total > 0)
}
