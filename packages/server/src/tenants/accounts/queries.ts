import { type Account, isSubdomain, MASK, type PageQuery, type Usage } from '@switchroom/contract'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { besideHooks, isCalled, matchesFilter, type Shown } from '../../http/search.ts'
import { forgetProviders, notedProvider, noteProvider, ownedBy } from '../../http/tenancy.ts'
import { usage } from '../../http/used-by.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import * as limits from '../limits/queries.ts'
import * as webhooks from '../webhooks/queries.ts'
import { bucketForReading, bucketToUse } from './bucket.ts'

/** Accounts that the caller may see: admins all, a provider its own, an account itself. */
const inScope = (scope: Scope) => ownedBy('accounts', scope)

/** The same of an account whose provider is known. */
const isInScope = (scope: Scope, sid: string, provider: string) =>
  scope.role === 'admin' ||
  (scope.role === 'account' ? sid === scope.account_sid : provider === scope.service_provider_sid)

const row = (db: Db, scope: Scope, sid: string) =>
  db
    .selectFrom('accounts')
    .selectAll('accounts')
    .where('accounts.account_sid', '=', sid)
    .where(inScope(scope))

/** The account with its provider, or undefined when this caller cannot see it. */
export async function findVisible(db: Db, scope: Scope, sid: string) {
  const noted = notedProvider(db, sid)
  if (noted !== undefined)
    return isInScope(scope, sid, noted)
      ? { account_sid: sid, service_provider_sid: noted }
      : undefined
  const account = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (account) noteProvider(db, sid, account.service_provider_sid)
  return account
}

/** Requires an account to assign something to. Throws 400 when the caller cannot see it. */
export async function owned(db: Db, scope: Scope, sid: string, absent = 'No such account') {
  const account = await findVisible(db, scope, sid)
  if (!account) throw invalidField('account_sid', absent)
  return account
}

/** The account that a new row belongs to: the caller's own, the requested one, or none. */
export async function ownerOf(
  db: Db,
  scope: Scope,
  requested: string | null | undefined,
  absent?: string,
) {
  if (scope.role === 'account') {
    if (requested && requested !== scope.account_sid)
      throw invalidField('account_sid', 'No such account')
    const { account_sid, service_provider_sid } = scope
    noteProvider(db, account_sid, service_provider_sid)
    return { account_sid, service_provider_sid }
  }
  return requested ? owned(db, scope, requested, absent) : undefined
}

/**
 * Bucket and encoding of an account's recordings, secrets included; undefined for an unknown account. Takes no scope:
 * the platform, or a call that was already found, names the account.
 */
export async function recordingOf({ db, box }: Pick<Context, 'db' | 'box'>, account_sid: string) {
  const row = await db
    .selectFrom('accounts')
    .select(['record_format', 'bucket_credential'])
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  return (
    row && {
      format: row.record_format === 'wav' ? ('wav' as const) : ('mp3' as const),
      bucket: bucketToUse(box, row.bucket_credential),
    }
  )
}

export type AccountRow = Awaited<ReturnType<typeof stored>>
/** The row as stored; for changes, read it inside their transaction. */
export const stored = (db: Db, scope: Scope, sid: string) => row(db, scope, sid).executeTakeFirst()

type Raw = NonNullable<AccountRow>
type Readable = Omit<Raw, keyof Account> & Account

type Hooks = Pick<Account, 'registration_hook' | 'queue_event_hook'>

const readable = (box: SecretBox, row: Raw, hooks: Hooks): Readable => ({
  ...row,
  subspace_client_secret: row.subspace_client_secret && MASK,
  bucket_credential: bucketForReading(box, row.bucket_credential),
  ...hooks,
})

async function allReadable(db: Db, box: SecretBox, rows: Raw[]) {
  const hooks = await webhooks.bySid(
    db,
    rows.flatMap((r) => [r.registration_hook_sid, r.queue_event_hook_sid]),
  )
  return rows.map((r) =>
    readable(box, r, {
      registration_hook: webhooks.withoutSid(hooks.get(r.registration_hook_sid ?? '')),
      queue_event_hook: webhooks.withoutSid(hooks.get(r.queue_event_hook_sid ?? '')),
    }),
  )
}

const masked = (hook: Account['registration_hook']) =>
  hook && { ...hook, password: hook.password && MASK }

/** Columns that a search finds an account by. */
export const shown: Shown = {
  sid: 'accounts.account_sid',
  names: ['accounts.name', 'accounts.sip_realm'],
  is_active: 'accounts.is_active',
  beside: [besideHooks('accounts.registration_hook_sid', 'accounts.queue_event_hook_sid')],
}

export function list(
  { db, box }: Pick<Context, 'db' | 'box'>,
  scope: Scope,
  query: PageQuery & { name?: string | undefined },
  within?: { service_provider_sid: string },
) {
  let matching = db.selectFrom('accounts').where(inScope(scope))
  if (query.filter) matching = matching.where(matchesFilter(db, shown, query.filter))
  if (query.name) matching = matching.where(isCalled(db, 'accounts.name', query.name))
  if (within)
    matching = matching.where('accounts.service_provider_sid', '=', within.service_provider_sid)
  return listing({
    db,
    table: 'accounts',
    sid: 'account_sid',
    sortable: ['name', 'created_at'],
    query,
    matching,
    rows: db.selectFrom('accounts').selectAll(),
    present: async (rows): Promise<Account[]> =>
      // secrets that clients write back are sent in clear text on single reads only
      (await allReadable(db, box, rows)).map((a) => ({
        ...a,
        webhook_secret: MASK,
        registration_hook: masked(a.registration_hook),
        queue_event_hook: masked(a.queue_event_hook),
      })),
  })
}

const nameOf = (column: 'device_calling_application_sid' | 'siprec_hook_sid') =>
  sql.raw<string | null>(
    `(select a.name from applications a where a.application_sid = accounts.${column})`,
  )

const withHooks = (db: Db, scope: Scope, sid: string) =>
  row(db, scope, sid).select([
    webhooks.inRow('accounts.registration_hook_sid').as('registration'),
    webhooks.inRow('accounts.queue_event_hook_sid').as('queue_event'),
  ])

const hooksOf = (selected: { registration: unknown; queue_event: unknown }): Hooks => ({
  registration_hook: webhooks.withoutSid(webhooks.fromRow(selected.registration)),
  queue_event_hook: webhooks.withoutSid(webhooks.fromRow(selected.queue_event)),
})

export async function find({ db, box }: Pick<Context, 'db' | 'box'>, scope: Scope, sid: string) {
  const found = await withHooks(db, scope, sid).executeTakeFirst()
  if (!found) return undefined
  const { registration, queue_event, ...raw } = found
  return readable(box, raw, hooksOf({ registration, queue_event }))
}

/** An account as its single read shows it. */
export const view = async (ctx: Pick<Context, 'db' | 'box'>, scope: Scope, sid: string) =>
  (await viewAndRow(ctx, scope, sid))?.account

/** The same and its row, in one statement: a row for each of its limits. */
export async function viewAndRow(
  { db, box }: Pick<Context, 'db' | 'box'>,
  scope: Scope,
  sid: string,
) {
  const rows = await withHooks(db, scope, sid)
    .leftJoin('account_limits as l', 'l.account_sid', 'accounts.account_sid')
    .select(['l.account_limits_sid', 'l.category', 'l.quantity'])
    .select([
      nameOf('device_calling_application_sid').as('device_calling_application_name'),
      nameOf('siprec_hook_sid').as('siprec_hook_name'),
    ])
    .execute()
  const [first] = rows
  if (!first) return undefined
  const { registration, queue_event, account_limits_sid: _, category, quantity, ...named } = first
  const { device_calling_application_name, siprec_hook_name, ...raw } = named
  const stored = rows.flatMap(({ account_limits_sid, category, quantity }) =>
    account_limits_sid === null || category === null || quantity === null
      ? []
      : { account_limits_sid, account_sid: raw.account_sid, category, quantity },
  )
  noteProvider(db, sid, raw.service_provider_sid)
  const account = {
    ...readable(box, raw, hooksOf({ registration, queue_event })),
    limits: limits.inOrder(stored),
    device_calling_application_name: device_calling_application_name ?? undefined,
    siprec_hook_name: siprec_hook_name ?? undefined,
  }
  return { account, row: raw }
}

/** Applications by sid, with their owners. */
export async function applicationsBySid(db: Db, sids: (string | null | undefined)[]) {
  const wanted = sids.filter((sid): sid is string => !!sid)
  if (wanted.length === 0) return new Map<string, { name: string; account_sid: string | null }>()
  const rows = await db
    .selectFrom('applications')
    .select(['application_sid', 'name', 'account_sid'])
    .where('application_sid', 'in', wanted)
    .execute()
  return new Map(rows.map((r) => [r.application_sid, r]))
}

export const userSids = async (db: Db, account_sid: string) =>
  (
    await db.selectFrom('users').select('user_sid').where('account_sid', '=', account_sid).execute()
  ).map((user) => user.user_sid)

/** True if another account of the provider has this name. No unique key of the platform prevents it. */
export const isNameTaken = async (
  db: Db,
  service_provider_sid: string,
  name: string,
  but?: string,
) =>
  (await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('service_provider_sid', '=', service_provider_sid)
    .where('name', '=', name)
    .where('account_sid', '!=', but ?? '')
    .executeTakeFirst()) !== undefined

/**
 * True if a realm is taken: by another account, or at or above a provider's root domain, whose calls it would take
 * over.
 */
export async function isRealmTaken(db: Db, realm: string, but?: string) {
  const account = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('sip_realm', '=', realm)
    .where('account_sid', '!=', but ?? '')
    .executeTakeFirst()
  if (account) return true
  const { n } = await db
    .selectFrom('service_providers')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) =>
      eb.or([
        eb('root_domain', '=', realm),
        sql<boolean>`root_domain like ${`%.${realm.replace(/[|%_]/g, '|$&')}`} escape '|'`,
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(n) > 0
}

/** The domain that an account's realm is prefixed to. */
export const rootDomainOf = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('accounts')
      .innerJoin(
        'service_providers',
        'service_providers.service_provider_sid',
        'accounts.service_provider_sid',
      )
      .select('service_providers.root_domain')
      .where('accounts.account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.root_domain ?? null

/** True if a realm is one label below its provider's root domain. */
export async function isOwnSubdomain(db: Db, account_sid: string, realm: string) {
  const [label = '', ...root] = realm.split('.')
  const domain = await rootDomainOf(db, account_sid)
  return isSubdomain(label) && root.join('.') === domain?.toLowerCase()
}

/** The names (within the provider) and realms (anywhere) among these that exist already, in lower case. */
export async function takenNames(db: Db, provider: string, names: string[], realms: string[]) {
  const lower = (texts: (string | null)[]) => new Set(texts.map((t) => (t ?? '').toLowerCase()))
  const named = await db
    .selectFrom('accounts')
    .select('name')
    .where('service_provider_sid', '=', provider)
    .where('name', 'in', names)
    .execute()
  const realmed =
    realms.length === 0
      ? []
      : await db
          .selectFrom('accounts')
          .select('sip_realm')
          .where('sip_realm', 'in', realms)
          .execute()
  return {
    names: lower(named.map((a) => a.name)),
    realms: lower(realmed.map((a) => a.sip_realm)),
  }
}

export const insert = (db: Db, values: Insertable<Tables['accounts']>) =>
  db.insertInto('accounts').values(values).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Tables['accounts']>) =>
  db
    .updateTable('accounts')
    .set(change)
    .where('account_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Resources that block a provider or an admin from deleting an account. */
export const usedBy = (db: Db, sid: string): Promise<Usage[]> => {
  const own = sql`account_sid = ${sid}`
  return Promise.all([
    usage(db, 'applications', own),
    usage(db, 'phone_numbers', own),
    usage(db, 'ms_teams_tenants', own),
    usage(db, 'api_keys', own),
    foreignRoutes(db, sid),
  ])
}

/** Routes of others that use one of this account's carriers. */
const foreignRoutes = (db: Db, sid: string) =>
  usage(
    db,
    'lcr_routes',
    sql`lcr_route_sid in (select e.lcr_route_sid from lcr_carrier_set_entry e
      join voip_carriers c on c.voip_carrier_sid = e.voip_carrier_sid
      where c.account_sid = ${sid})
      and lcr_sid not in (select lcr_sid from lcr where account_sid = ${sid})`,
  )

/**
 * Deletes the account and everything it owns, in foreign key order. Call in a transaction. Remaining
 * references from others make it fail, and nothing is deleted.
 */
export async function remove(
  db: Db,
  { schemaHas, onAccountRemoved }: Pick<Context, 'schemaHas' | 'onAccountRemoved'>,
  scope: Scope,
  account: Raw,
) {
  const sid = account.account_sid
  const own = sql`account_sid = ${sid}`
  const carriers = sql`voip_carrier_sid in (select voip_carrier_sid from voip_carriers where ${own})`
  const subscriptions = sql`account_subscription_sid in (select account_subscription_sid from account_subscriptions where ${own})`
  // the row is locked from here on, so the account stays in scope until the end
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ device_calling_application_sid: null, siprec_hook_sid: null })
    .where('account_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const hooks = await db
    .selectFrom('applications')
    .selectAll()
    .where('account_sid', '=', sid)
    .execute()

  for (const removed of onAccountRemoved) await removed(db, account)
  const ofUsers = sql`user_sid in (select user_sid from users where ${own})`
  const steps: [string, RawBuilder<unknown>][] = [
    ['account_products', subscriptions],
    ['account_subscriptions', own],
    ['account_offers', own],
    ['account_static_ips', own],
    ['dns_records', own],
    ['switchroom_api_keys', sql`api_key_sid in (select api_key_sid from api_keys where ${own})`],
    ['api_keys', own],
    ['clients', own],
    ['speech_credentials', own],
    ['switchroom_alert_marks', sql`owner = ${sid} or ${ofUsers}`],
    ['switchroom_totp', ofUsers],
    ['switchroom_passkeys', ofUsers],
    ['switchroom_recovery_codes', ofUsers],
    ['switchroom_sessions', sql`user_sid in (select user_sid from users where ${own})`],
    ['users', own],
    [
      'switchroom_phone_numbers',
      sql`phone_number_sid in (select phone_number_sid from phone_numbers where ${own})`,
    ],
    ['phone_numbers', own],
    ['call_routes', own],
    ['ms_teams_tenants', own],
    ['sip_gateways', carriers],
    ['smpp_gateways', carriers],
    ['switchroom_trunk_report_links', carriers],
    ['switchroom_customer_report_links', own],
    ['switchroom_report_mails', own],
    ['switchroom_report_recipients', own],
    ['voip_carriers', own],
    ['applications', own],
    ['switchroom_alert_deliveries', own],
    ['switchroom_alert_destinations', own],
    ['switchroom_webhook_requests', own],
    [
      'switchroom_event_deliveries',
      sql`event_subscription_sid in (select event_subscription_sid from switchroom_event_subscriptions where ${own})`,
    ],
    ['switchroom_event_subscriptions', own],
    ['switchroom_events', own],
    ['switchroom_event_notes', own],
    ['switchroom_event_readers', sql`owner = ${sid}`],
    ['switchroom_event_states', sql`owner = ${sid}`],
  ]
  for (const [t, where] of steps)
    if (schemaHas(t) || t.startsWith('switchroom_'))
      await sql`delete from ${sql.table(t)} where ${where}`.execute(db)
  await db.deleteFrom('accounts').where('account_sid', '=', sid).where(inScope(scope)).execute()
  forgetProviders(db)
  await webhooks.prune(
    db,
    schemaHas,
    account.registration_hook_sid,
    account.queue_event_hook_sid,
    ...hooks.flatMap((a) => [a.call_hook_sid, a.call_status_hook_sid, a.messaging_hook_sid]),
  )
}
