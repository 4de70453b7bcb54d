import { createHmac } from 'node:crypto'
import type { Database, Row } from './database.ts'
import { hashPassword, verifyPassword } from './secrets.ts'
import { type Caller, noContent, notFound, ok, type Routes, refuse, type Scope } from './wire.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = (text: string) =>
  createHmac('sha256', process.env.JWT_SECRET ?? 'stock-api-secret')
    .update(text)
    .digest('base64url')

function sign(claims: Row) {
  const now = Math.floor(Date.now() / 1000)
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ ...claims, iat: now, exp: now + 3600 })}`
  return `${text}.${signature(text)}`
}

/** Users with a session. One entry per user, not per token, as the reference keeps them in Redis. */
const signedIn = new Set<unknown>()
export const endSession = (user: unknown) => signedIn.delete(user)

/** Resolves to undefined for an invalid or ended token. */
export async function callerOf(db: Database, token: string): Promise<Caller | undefined> {
  const [head, claims, signed] = token.split('.')
  if (signed && signature(`${head}.${claims}`) === signed) {
    const claimed = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as Row
    if (Number(claimed.exp) * 1000 < Date.now() || !signedIn.has(claimed.user_sid)) return
    return { account_sid: null, service_provider_sid: null, ...claimed } as Caller
  }
  const row = await db.row('api_keys', 'token', token)
  if (!row) return
  const scope = row.service_provider_sid
    ? 'service_provider'
    : row.account_sid
      ? 'account'
      : 'admin'
  return {
    scope,
    account_sid: row.account_sid as string | null,
    service_provider_sid: row.service_provider_sid as string | null,
  }
}

/** Derived from which sids are null. A user with only an account is an administrator, as on the real server. */
export const scopeOf = ({ account_sid, service_provider_sid }: Row): Scope =>
  service_provider_sid ? (account_sid ? 'account' : 'service_provider') : 'admin'

export const permissionsOf = async (db: Database, user: unknown) =>
  (
    await db.rows(
      'SELECT name FROM permissions JOIN user_permissions USING (permission_sid) WHERE user_sid = ?',
      [user],
    )
  ).map((row) => row.name)

export const isViewOnly = (permissions: unknown[]) =>
  permissions.length === 1 && permissions[0] === 'VIEW_ONLY'

const forbidden = { status: 403, text: 'Forbidden' }

export const session: Routes = {
  'POST /login': async ({ db, body }) => {
    if (!body.username || !body.password) return { status: 400, text: 'Bad Request' }
    const user = await db.row('users', 'name', body.username)
    if (user?.provider !== 'local') return forbidden
    if (!verifyPassword(user.hashed_password, String(body.password))) return forbidden
    const scope = scopeOf(user)
    const permissions = await permissionsOf(db, user.user_sid)
    const owners: Row = {}
    if (scope !== 'admin') {
      const provider = await db.row(
        'service_providers',
        'service_provider_sid',
        user.service_provider_sid,
      )
      owners.service_provider_sid = user.service_provider_sid
      owners.service_provider_name = provider?.name
    }
    if (scope === 'account') {
      owners.account_sid = user.account_sid
      owners.account_name = (await db.row('accounts', 'account_sid', user.account_sid))?.name
    }
    const is_view_only = isViewOnly(permissions)
    const claims = { scope, permissions, is_view_only, user_sid: user.user_sid, name: user.name }
    signedIn.add(user.user_sid)
    return ok({
      token: sign({ ...claims, ...owners }),
      user_sid: user.user_sid,
      scope,
      force_change: user.force_change === 1,
      permissions,
      ...owners,
    })
  },

  'POST /logout': ({ caller }) => {
    if (!caller.user_sid)
      return refuse(500, 'The "data" argument must be of type string. Received undefined')
    endSession(caller.user_sid)
    return noContent
  },

  'POST /change-password': async ({ db, caller, body }) => {
    if (!body.old_password || !body.new_password)
      refuse(400, 'missing old_password or new_password')
    const user = await db.row('users', 'user_sid', caller.user_sid)
    if (!verifyPassword(user?.hashed_password, String(body.old_password)))
      refuse(400, 'old_password is incorrect')
    const hashed_password = hashPassword(String(body.new_password))
    await db.update('users', 'user_sid', caller.user_sid, { hashed_password })
    endSession(caller.user_sid)
    return noContent
  },

  'GET /Users/me': async ({ db, caller }) => {
    if (!caller.user_sid) return forbidden
    const user = await db.row('users', 'user_sid', caller.user_sid)
    if (!user) return notFound
    const {
      hashed_password: _,
      phone_activation_code: __,
      email_activation_code: ___,
      ...shown
    } = user
    const owner = async (table: string, column: string) => {
      const row = await db.row(table, column, user[column])
      if (row) return row
      // like a left join without a match: every field is null
      const columns = await db.rows('SHOW COLUMNS FROM ??', [table])
      return Object.fromEntries(columns.map((c) => [String(c.Field), null]))
    }
    return ok({
      user: {
        ...shown,
        force_change: user.force_change === 1,
        email_validated: user.email_validated === 1,
        phone_validated: user.phone_validated === 1,
      },
      account: await owner('accounts', 'account_sid'),
      sp: await owner('service_providers', 'service_provider_sid'),
    })
  },
}
