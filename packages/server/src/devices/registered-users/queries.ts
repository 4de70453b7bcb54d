import type { LiveQuery, RegisteredUser } from '@switchroom/contract'
import { matching, pageOf, unlessSeen } from '../../calls/live-calls/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

/** Accounts that the caller may see and asked for, by lower-case realm. */
async function accountsOf(db: Db, scope: Scope, realms: string[], query: LiveQuery) {
  const found = new Map<string, { account_sid: string; name: string }>()
  for (let i = 0; i < realms.length; i += 500) {
    let owned = db
      .selectFrom('accounts')
      .select(['account_sid', 'name', 'sip_realm'])
      .where('sip_realm', 'in', realms.slice(i, i + 500))
      .where(ownedBy('accounts', scope))
    if (query.account_sid) owned = owned.where('account_sid', '=', query.account_sid)
    if (query.service_provider_sid)
      owned = owned.where(ownedBy('accounts', { service_provider_sid: query.service_provider_sid }))
    for (const { sip_realm, ...account } of await owned.execute())
      if (sip_realm) found.set(sip_realm.toLowerCase(), account)
  }
  return found
}

/** Registered users by name; undefined when the caller has already seen this version. */
export async function list(
  { db, state }: Pick<Context, 'db' | 'state'>,
  scope: Scope,
  query: LiveQuery,
) {
  const { items, complete } = await state.allRegistrations()
  const accounts = await accountsOf(db, scope, [...new Set(items.map((r) => r.realm))], query)
  const found = items
    .flatMap((r) => {
      const account = accounts.get(r.realm)
      const name = `${r.user}@${r.realm}`
      return account && matching(query.filter, [account.name], [name])
        ? [{ ...r, name, account }]
        : []
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  const page = pageOf(found, query)
  const devices = await state.devices(page.data.map((r) => r.name))
  const data = page.data.map(
    ({ name, account, expires }, i): RegisteredUser => ({
      account_sid: account.account_sid,
      account_name: account.name,
      name,
      contact: devices[i]?.contact ?? null,
      transport: devices[i]?.protocol ?? null,
      expires_at: new Date(expires).toISOString(),
    }),
  )
  return unlessSeen({ ...page, data, complete }, query.seen)
}

/** The realm of an account; undefined when this caller cannot see it. */
export const realmOf = (db: Db, scope: Scope, account_sid: string) =>
  db
    .selectFrom('accounts')
    .select('sip_realm')
    .where('account_sid', '=', account_sid)
    .where(ownedBy('accounts', scope))
    .executeTakeFirst()

/** Direct calls that this user may make; undefined if the account has no such SIP client. */
export const allowed = (db: Db, account_sid: string, username: string) =>
  db
    .selectFrom('clients')
    .select(['allow_direct_app_calling', 'allow_direct_queue_calling', 'allow_direct_user_calling'])
    .where('account_sid', '=', account_sid)
    .where('username', '=', username)
    .executeTakeFirst()
