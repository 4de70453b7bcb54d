import { type Account, MASK, type PageQuery } from '@switchroom/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import { readTogether } from '../../http/read-together.ts'
import type { Scope } from '../../http/scope.ts'
import { besideHooks, isCalled, matchesFilter, type Shown } from '../../http/search.ts'
import { notedProvider, noteProvider, ownedBy } from '../../http/tenancy.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import * as limits from '../limits/queries.ts'
import * as webhooks from '../webhooks/queries.ts'
import { bucketForReading, bucketToUse } from './bucket.ts'

/** Accounts that the caller may see: admins all, a provider its own, an account itself. */
export const inScope = (scope: Scope) => ownedBy('accounts', scope)

/** The same of an account whose provider is known. */
const isInScope = (scope: Scope, sid: string, provider: string) =>
  scope.role === 'admin' ||
  (scope.role === 'account' ? sid === scope.account_sid : provider === scope.service_provider_sid)

const rowsOf = (db: Db, scope: Scope, sids: readonly string[]) =>
  db
    .selectFrom('accounts')
    .selectAll('accounts')
    .where('accounts.account_sid', 'in', sids)
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
export const stored = (db: Db, scope: Scope, sid: string) =>
  rowsOf(db, scope, [sid]).executeTakeFirst()

export type Raw = NonNullable<AccountRow>
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

const withHooks = (db: Db, scope: Scope, sids: readonly string[]) =>
  rowsOf(db, scope, sids).select([
    webhooks.inRow('accounts.registration_hook_sid').as('registration'),
    webhooks.inRow('accounts.queue_event_hook_sid').as('queue_event'),
  ])

const hooksOf = (selected: { registration: unknown; queue_event: unknown }): Hooks => ({
  registration_hook: webhooks.withoutSid(webhooks.fromRow(selected.registration)),
  queue_event_hook: webhooks.withoutSid(webhooks.fromRow(selected.queue_event)),
})

export async function find({ db, box }: Pick<Context, 'db' | 'box'>, scope: Scope, sid: string) {
  const found = await withHooks(db, scope, [sid]).executeTakeFirst()
  if (!found) return undefined
  const { registration, queue_event, ...raw } = found
  return readable(box, raw, hooksOf({ registration, queue_event }))
}

/** An account as its single read shows it. */
export const view = async (ctx: Pick<Context, 'db' | 'box'>, scope: Scope, sid: string) =>
  (await viewAndRow(ctx, scope, sid))?.account

/** The same and its row. */
export const viewAndRow = readTogether(viewsAndRows, ({ row }) => row.account_sid)

/** In one statement: a row for each limit of each account. */
async function viewsAndRows(
  { db, box }: Pick<Context, 'db' | 'box'>,
  scope: Scope,
  sids: readonly string[],
) {
  const rows = await withHooks(db, scope, sids)
    .leftJoin('account_limits as l', 'l.account_sid', 'accounts.account_sid')
    .select(['l.account_limits_sid', 'l.category', 'l.quantity'])
    .select([
      nameOf('device_calling_application_sid').as('device_calling_application_name'),
      nameOf('siprec_hook_sid').as('siprec_hook_name'),
    ])
    .execute()
  const byAccount = Map.groupBy(rows, ({ account_sid }) => account_sid)
  return Array.from(byAccount.values(), (its) => {
    const {
      registration,
      queue_event,
      account_limits_sid: _,
      category,
      quantity,
      ...named
    } = its[0]!
    const { device_calling_application_name, siprec_hook_name, ...raw } = named
    const stored = its.flatMap(({ account_limits_sid, category, quantity }) =>
      account_limits_sid === null || category === null || quantity === null
        ? []
        : { account_limits_sid, account_sid: raw.account_sid, category, quantity },
    )
    noteProvider(db, raw.account_sid, raw.service_provider_sid)
    const account = {
      ...readable(box, raw, hooksOf({ registration, queue_event })),
      limits: limits.inOrder(stored),
      device_calling_application_name: device_calling_application_name ?? undefined,
      siprec_hook_name: siprec_hook_name ?? undefined,
    }
    return { account, row: raw }
  })
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

export const insert = (db: Db, values: Insertable<Tables['accounts']>) =>
  db.insertInto('accounts').values(values).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Tables['accounts']>) =>
  db
    .updateTable('accounts')
    .set(change)
    .where('account_sid', '=', sid)
    .where(inScope(scope))
    .execute()
