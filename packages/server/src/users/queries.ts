import {
  type api,
  managesUsers,
  type PageQuery,
  type Received,
  type Role,
  type UserItem,
  users,
} from '@switchroom/contract'
import { sql } from 'kysely'
import { batchesOf } from '../db/batches.ts'
import { listing } from '../db/listing.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { besideAccount, matchesFilter, type Shown } from '../http/search.ts'
import { ownedBy } from '../http/tenancy.ts'
import { isViewOnly, roleOf, type UserRow, VIEW_ONLY } from './token-claims.ts'

const owners = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('accounts', 'accounts.account_sid', 'users.account_sid')
    .leftJoin('service_providers', (join) =>
      join.on(
        'service_providers.service_provider_sid',
        '=',
        sql`coalesce(users.service_provider_sid, accounts.service_provider_sid)`,
      ),
    )

const usersWithOwners = (db: Db) =>
  owners(db).select([
    'users.user_sid',
    'users.name',
    'users.email',
    'users.provider',
    'users.hashed_password',
    'users.account_sid',
    'service_providers.service_provider_sid',
    'accounts.name as account_name',
    'service_providers.name as service_provider_name',
    'users.force_change',
    'users.is_active',
  ])

async function withPermissions<U extends { user_sid: string }>(db: Db, users: U[]) {
  if (users.length === 0) return []
  const granted = await db
    .selectFrom('user_permissions')
    .innerJoin('permissions', 'permissions.permission_sid', 'user_permissions.permission_sid')
    .select(['user_permissions.user_sid', 'permissions.name'])
    .where(
      'user_permissions.user_sid',
      'in',
      users.map((u) => u.user_sid),
    )
    .execute()
  return users.map((u) => ({
    ...u,
    permissions: granted.filter((g) => g.user_sid === u.user_sid).map((g) => g.name),
  }))
}

/** The names of a user's permissions, which contain no comma. */
const granted = sql<string | null>`(select group_concat(p.name) from user_permissions up
  join permissions p on p.permission_sid = up.permission_sid where up.user_sid = users.user_sid)`

/** Finds a user at log-in. Compares names exactly, unlike the database's collation. */
export async function withName(db: Db, name: string): Promise<UserRow | undefined> {
  const rows = await usersWithOwners(db).where('users.name', '=', name).limit(20).execute()
  const exact = rows.find((u) => u.name === name) ?? rows[0]
  return (await withPermissions(db, exact ? [exact] : []))[0]
}

export async function withSid(db: Db, sid: string): Promise<UserRow | undefined> {
  const user = await usersWithOwners(db).where('users.user_sid', '=', sid).executeTakeFirst()
  return (await withPermissions(db, user ? [user] : []))[0]
}

/** Finds a user who logs in by email: one with a verified address and a password. */
export async function withProvenEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const user = await usersWithOwners(db)
    .where('users.email', '=', email)
    .where('users.email_validated', '=', 1)
    .where('users.provider', '=', 'local')
    .executeTakeFirst()
  return (await withPermissions(db, user ? [user] : []))[0]
}

/** Finds a user who logs in through an OAuth provider. */
export const withProvider = (db: Db, provider: string, provider_userid: string) =>
  db
    .selectFrom('users')
    .select(['user_sid', 'email'])
    .where('provider', '=', provider)
    .where('provider_userid', '=', provider_userid)
    .executeTakeFirst()

/** Response of the platform's API to a log-in by email or OAuth. */
export async function signedIn(db: Db, sid: string) {
  const { account_is_active, ...user } = await owners(db)
    .select([
      'users.user_sid',
      'users.name',
      'users.email',
      'users.phone',
      'users.account_sid',
      'service_providers.service_provider_sid',
      'service_providers.root_domain',
      'users.force_change',
      'users.provider',
      'users.provider_userid',
      'users.scope',
      'users.phone_validated',
      'users.email_validated',
      'accounts.is_active as account_is_active',
    ])
    .where('users.user_sid', '=', sid)
    .executeTakeFirstOrThrow()
  return {
    ...user,
    force_change: user.force_change === 1,
    phone_validated: user.phone_validated === 1,
    email_validated: user.email_validated === 1,
    is_active: account_is_active === 1,
    pristine: false,
  }
}

/** A user's email address. Null or undefined without one. */
export async function emailOf(db: Db, user_sid: string) {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  return user?.email
}

/** Active users with this address, for mails. Addresses are not unique on existing platforms. */
export const withEmail = (db: Db, email: string) =>
  db
    .selectFrom('users')
    .select(['user_sid', 'name', 'email', 'provider'])
    .where('email', '=', email)
    .where('is_active', '=', 1)
    .limit(5)
    .execute()

/** A user belongs to the caller's provider by itself or through its account. */
export const inScope = (scope: Scope) => ownedBy('users', scope)

const ofRole = (role: Role) =>
  ({
    account: sql<boolean>`users.account_sid is not null`,
    service_provider: sql<boolean>`users.account_sid is null and users.service_provider_sid is not null`,
    admin: sql<boolean>`users.account_sid is null and users.service_provider_sid is null`,
  })[role]

export type Filters = Received<typeof api.users.export>['query']

/** Columns that a search finds a user by. */
export const shown: Shown = {
  sid: 'users.user_sid',
  names: ['users.name', 'users.email'],
  is_active: 'users.is_active',
  beside: [
    besideAccount('users'),
    {
      rows: sql`service_providers as of_provider where of_provider.service_provider_sid = users.service_provider_sid`,
      names: ['of_provider.name'],
    },
  ],
}

/** The users that match a list's filters. */
function matching(db: Db, scope: Scope, filters: Filters) {
  let query = db.selectFrom('users').where(inScope(scope))
  const { filter, account_sid, service_provider_sid, scope: role } = filters
  if (filter) query = query.where(matchesFilter(db, shown, filter))
  if (role) query = query.where(ofRole(role))
  if (account_sid) query = query.where('users.account_sid', '=', account_sid)
  if (service_provider_sid)
    // admins appear in every provider's list, as in the platform's console
    query = query.where((eb) =>
      eb.or([ownedBy('users', { service_provider_sid }), ofRole('admin')]),
    )
  return query
}

export const list = (db: Db, scope: Scope, query: Pick<PageQuery, 'sort'> & Filters) =>
  listing({
    db,
    table: 'users',
    sid: 'user_sid',
    sortable: ['name', 'email'],
    query,
    matching: matching(db, scope, query),
    rows: usersWithOwners(db),
    present: async (rows) => (await withPermissions(db, rows)).map(asItem),
  })

/** At most `most` users that match a list's filters. */
export const sidsMatching = async (db: Db, scope: Scope, filters: Filters, most: number) =>
  (await matching(db, scope, filters).select('users.user_sid').limit(most).execute()).map(
    (u) => u.user_sid,
  )

/** The users among these that the caller may see, in batches, as the list shows them. */
export async function* withNames(db: Db, scope: Scope, sids: string[]): AsyncIterable<UserItem[]> {
  for (const batch of batchesOf(sids)) {
    const rows = await usersWithOwners(db)
      .where('users.user_sid', 'in', batch)
      .where(inScope(scope))
      .orderBy('users.name')
      .execute()
    yield (await withPermissions(db, rows)).map(asItem)
  }
}

const asItem = (u: UserRow): UserItem => ({
  user_sid: u.user_sid,
  name: u.name,
  email: u.email,
  scope: roleOf(u),
  force_change: u.force_change,
  is_active: u.is_active,
  is_view_only: isViewOnly(u.permissions),
  ...(u.account_sid && { account_sid: u.account_sid, account_name: u.account_name ?? '' }),
  ...(u.service_provider_sid && {
    service_provider_sid: u.service_provider_sid,
    service_provider_name: u.service_provider_name ?? '',
  }),
})

export const stored = (db: Db) => db.selectFrom('users').selectAll().select(granted.as('granted'))

function asFound<R extends { granted: string | null }>({ granted: names, ...user }: R) {
  const permissions = names?.split(',') ?? []
  return {
    ...user,
    permissions,
    is_view_only: isViewOnly(permissions),
    manages_users: managesUsers(permissions),
  }
}

/** The row with its permissions; undefined when this caller cannot see it. */
export async function find(db: Db, scope: Scope, sid: string) {
  const found = await stored(db)
    .where('user_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (!found) return undefined
  return asFound(found)
}

export type Found = NonNullable<Awaited<ReturnType<typeof find>>>

/** The users with these sids that the caller may see, in any order. */
export async function findAll(db: Db, scope: Scope, sids: string[]) {
  const found: Found[] = []
  for (const batch of batchesOf(sids)) {
    const rows = await stored(db).where('user_sid', 'in', batch).where(inScope(scope)).execute()
    for (const row of rows) found.push(asFound(row))
  }
  return found
}

/** At most `most` of the active administrators; with `whoMayChange`, of those who are not view-only. */
export const activeAdmins = async (
  db: Db,
  { whoMayChange, most }: { whoMayChange: boolean; most: number },
) =>
  (
    await db
      .selectFrom('users')
      .select('user_sid')
      .where(ofRole('admin'))
      .where('is_active', '=', 1)
      .$if(whoMayChange, (query) =>
        query.where(sql<boolean>`coalesce(${granted}, '') <> ${VIEW_ONLY}`),
      )
      .limit(most)
      .execute()
  ).map((u) => u.user_sid)

/** Includes the password hash, so that the audit log can tell when it changed. */
export const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'user' as const,
  sid,
  lock: 'users',
  view: users.view,
  read: (tx: Db) => find(tx, scope, sid),
})

/** True if an account has users. */
export const hasUsers = async (db: Db, account_sid: string) =>
  (await db
    .selectFrom('users')
    .select('user_sid')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()) !== undefined
