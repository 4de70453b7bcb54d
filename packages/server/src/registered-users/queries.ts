import type { LiveQuery, RegisteredUser } from '@switchroom/contract'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { inScope, ofServiceProvider, type Scope } from '../http/scope.ts'
import { matching, pageOf, unlessSeen } from '../live-calls/queries.ts'

/** Accounts that the caller sees and asks for, by their realms in lower case. */
async function accountsOf(db: Db, scope: Scope, realms: string[], query: LiveQuery) {
  const found = new Map<string, { account_sid: string; name: string }>()
  for (let i = 0; i < realms.length; i += 500) {
    let asked = db
      .selectFrom('accounts')
      .select(['account_sid', 'name', 'sip_realm'])
      .where('sip_realm', 'in', realms.slice(i, i + 500))
      .where(inScope(scope, 'accounts.account_sid'))
    if (query.account_sid) asked = asked.where('account_sid', '=', query.account_sid)
    if (query.service_provider_sid)
      asked = asked.where(ofServiceProvider(query.service_provider_sid, 'accounts.account_sid'))
    for (const { sip_realm, ...account } of await asked.execute())
      if (sip_realm) found.set(sip_realm.toLowerCase(), account)
  }
  return found
}

/** Who is registered, by name; undefined where the caller has seen just this. */
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
      return account && matching(query.filter, name, account.name) ? [{ ...r, name, account }] : []
    })
    .sort((a, b) => a.name.localeCompare(b.name))
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

/** An account as far as its devices go, or undefined when it is not there for this caller. */
export const realmOf = (db: Db, scope: Scope, account_sid: string) =>
  db
    .selectFrom('accounts')
    .select('sip_realm')
    .where('account_sid', '=', account_sid)
    .where(inScope(scope, 'accounts.account_sid'))
    .executeTakeFirst()

/** What the user of this name may call directly; undefined when the account has no such client. */
export const allowed = (db: Db, account_sid: string, username: string) =>
  db
    .selectFrom('clients')
    .select(['allow_direct_app_calling', 'allow_direct_queue_calling', 'allow_direct_user_calling'])
    .where('account_sid', '=', account_sid)
    .where('username', '=', username)
    .executeTakeFirst()
