import type { PageQuery, ServiceProvider, Usage } from '@switchroom/contract'
import { type Insertable, sql } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter, type Shown } from '../../http/search.ts'
import { ownedBy, visibleTo } from '../../http/tenancy.ts'
import { usage } from '../../http/used-by.ts'
import * as webhooks from '../webhooks/queries.ts'

/** Providers that the caller may see: admins all, others their own. */
const visible = (scope: Scope) => visibleTo('service_providers', scope)

/** Providers that the caller may change. An account may not change its own. */
const inScope = (scope: Scope) => ownedBy('service_providers', scope)

type Row = {
  service_provider_sid: string
  name: string
  description: string | null
  root_domain: string | null
  ms_teams_fqdn: string | null
  registration_hook_sid: string | null
}

async function withHook(db: Db, rows: Row[]): Promise<(ServiceProvider & Row)[]> {
  const hooks = await webhooks.bySid(
    db,
    rows.map((r) => r.registration_hook_sid),
  )
  return rows.map((r) => ({
    ...r,
    registration_hook: webhooks.withoutSid(hooks.get(r.registration_hook_sid ?? '')),
  }))
}

const masked = <P extends ServiceProvider>(provider: P): P => ({
  ...provider,
  registration_hook: webhooks.masked(provider.registration_hook),
})

/** Columns that a search finds a provider by. */
export const shown: Shown = {
  sid: 'service_providers.service_provider_sid',
  names: [
    'service_providers.name',
    'service_providers.description',
    'service_providers.root_domain',
  ],
}

export function list(db: Db, scope: Scope, query: PageQuery) {
  const all = db.selectFrom('service_providers').where(visible(scope))
  return listing({
    db,
    table: 'service_providers',
    sid: 'service_provider_sid',
    sortable: ['name'],
    query,
    matching: query.filter ? all.where(matchesFilter(db, shown, query.filter)) : all,
    rows: db.selectFrom('service_providers').selectAll(),
    present: async (rows) => (await withHook(db, rows)).map(masked),
  })
}

/** A provider as the caller may read it: its accounts do not learn the password of its webhook. */
export async function find(db: Db, scope: Scope, sid: string) {
  const found = await db
    .selectFrom('service_providers')
    .selectAll()
    .select(webhooks.inRow('service_providers.registration_hook_sid').as('registration'))
    .where('service_provider_sid', '=', sid)
    .where(visible(scope))
    .executeTakeFirst()
  if (!found) return undefined
  const { registration, ...row } = found
  const provider = {
    ...row,
    registration_hook: webhooks.withoutSid(webhooks.fromRow(registration)),
  }
  return scope.role === 'account' ? masked(provider) : provider
}

export const insert = (db: Db, row: Insertable<Tables['service_providers']>) =>
  db.insertInto('service_providers').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Partial<Row>) =>
  db
    .updateTable('service_providers')
    .set(change)
    .where('service_provider_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** The sid of the only provider; undefined when there are several. */
export async function onlyOne(db: Db) {
  const two = await db
    .selectFrom('service_providers')
    .select('service_provider_sid')
    .limit(2)
    .execute()
  return two.length === 1 ? two[0]!.service_provider_sid : undefined
}

/** Resources that block the deletion of a provider. */
export const usedBy = (db: Db, service_provider_sid: string): Promise<Usage[]> => {
  const own = sql`service_provider_sid = ${service_provider_sid}`
  return Promise.all([
    usage(db, 'accounts', own),
    usage(db, 'users', own),
    usage(db, 'phone_numbers', own),
    usage(db, 'ms_teams_tenants', own),
  ])
}

/** Deletes the provider and its resources. Call it in a transaction, once nothing blocks it. */
export async function remove(
  db: Db,
  { schemaHas, onProviderRemoved }: Pick<Context, 'schemaHas' | 'onProviderRemoved'>,
  scope: Scope,
  service_provider_sid: string,
) {
  const carriers = sql`voip_carrier_sid in (select voip_carrier_sid from voip_carriers where service_provider_sid = ${service_provider_sid})`
  const own = sql`service_provider_sid = ${service_provider_sid}`
  for (const removed of onProviderRemoved) await removed(db, service_provider_sid)
  await sql`delete from switchroom_alert_marks where owner = ${service_provider_sid}`.execute(db)
  await sql`delete from switchroom_second_factor_policies where owner = ${service_provider_sid}`.execute(
    db,
  )
  await sql`delete from switchroom_alert_deliveries where alert_destination_sid in
    (select alert_destination_sid from switchroom_alert_destinations where ${own})`.execute(db)
  await sql`delete from switchroom_event_deliveries where event_subscription_sid in
    (select event_subscription_sid from switchroom_event_subscriptions where ${own})`.execute(db)
  for (const table of ['switchroom_event_readers', 'switchroom_event_states'])
    await sql`delete from ${sql.table(table)} where owner = ${service_provider_sid}`.execute(db)
  await sql`delete from switchroom_api_keys where api_key_sid in
    (select api_key_sid from api_keys where ${own})`.execute(db)
  await sql`delete from sip_gateways where ${carriers}`.execute(db)
  if (schemaHas('smpp_gateways')) await sql`delete from smpp_gateways where ${carriers}`.execute(db)
  await sql`delete from switchroom_trunk_report_links where ${carriers}`.execute(db)
  for (const table of [
    'speech_credentials',
    'voip_carriers',
    'api_keys',
    'sbc_addresses',
    'smpp_addresses',
    'switchroom_alert_destinations',
    'switchroom_webhook_requests',
    'switchroom_events',
    'switchroom_event_subscriptions',
  ])
    if (schemaHas(table) || table.startsWith('switchroom_'))
      await sql`delete from ${sql.table(table)} where ${own}`.execute(db)
  await db
    .deleteFrom('service_providers')
    .where('service_provider_sid', '=', service_provider_sid)
    .where(inScope(scope))
    .execute()
}
