import type { Database, Row } from './database.ts'
import { hashPassword, verifyPassword } from './secrets.ts'
import { endSession, isViewOnly, permissionsOf, scopeOf } from './session.ts'
import {
  type Call,
  checkUuid,
  created,
  noContent,
  ok,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

async function checkPassword(db: Database, password: unknown) {
  const text = String(password)
  const [settings] = await db.rows('SELECT * FROM password_settings')
  if (!settings) {
    if (text.length < 8 || text.length > 20) refuse(400, 'password length must be between 8 and 20')
    return
  }
  const length = Number(settings.min_password_length)
  if (text.length < length) refuse(400, `password must be at least ${length} characters long`)
  if (settings.require_digit && !/\d/.test(text))
    refuse(400, 'password must contain at least one digit')
  if (settings.require_special_character && !/[!@#$%^&*()_+\-=[\]{};':"\\|,.<>/?]/.test(text))
    refuse(400, 'password must contain at least one special character')
}

async function setViewOnly(db: Database, user: unknown, wanted: unknown) {
  const permission = await db.row('permissions', 'name', 'VIEW_ONLY')
  await db.rows('DELETE FROM user_permissions WHERE user_sid = ? AND permission_sid = ?', [
    user,
    permission!.permission_sid,
  ])
  if (wanted)
    await db.insert('user_permissions', 'user_permissions_sid', {
      user_sid: user,
      permission_sid: permission!.permission_sid,
    })
}

const reaches = ({ caller }: Call, user: Row) =>
  caller.scope === 'admin' ||
  (caller.scope === 'account'
    ? user.account_sid === caller.account_sid
    : user.service_provider_sid === caller.service_provider_sid)

async function findUser(call: Call) {
  checkUuid(call.params.sid!)
  const user = await call.db.row('users', 'user_sid', call.params.sid)
  if (!user) return refuse(500, 'failure retrieving user')
  if (!reaches(call, user)) refuse(403, 'insufficient permissions')
  return user
}

/** Refuses promoting or moving a user without permission. */
async function checkOwners({ db, caller, body }: Call, user: Row) {
  if (body.account_sid === null || body.service_provider_sid === null)
    refuse(400, 'Invalid request: user may not be promoted')
  const changes = (column: string) => body[column] && body[column] !== user[column]
  if (caller.scope === 'account' && changes('account_sid'))
    refuse(400, 'Invalid request: user may not be promoted or moved to another account')
  if (caller.scope !== 'admin' && changes('service_provider_sid'))
    refuse(400, 'Invalid request: user may not be promoted or moved to another service provider')
  if (!body.account_sid) return
  const account = await db.row('accounts', 'account_sid', body.account_sid)
  if (!account) return refuse(400, 'Invalid request: account_sid does not exist')
  const provider = body.service_provider_sid || user.service_provider_sid
  if (provider && account.service_provider_sid !== provider)
    refuse(400, 'Invalid request: user may not be moved to another service provider')
}

export const users: Routes = {
  'GET /Users': async ({ db, caller }) => {
    const own = {
      admin: '1 = 1',
      service_provider: 'u.service_provider_sid = ?',
      account: 'u.account_sid = ?',
    }
    const rows = await db.rows(
      `SELECT u.*, a.name AS account_name, s.name AS service_provider_name FROM users u
       LEFT JOIN accounts a ON a.account_sid = u.account_sid
       LEFT JOIN service_providers s ON s.service_provider_sid = u.service_provider_sid
       WHERE ${own[caller.scope]}`,
      [caller.scope === 'account' ? caller.account_sid : caller.service_provider_sid],
    )
    if (rows.length === 0) refuse(500, 'failure retrieving users list')
    return ok(
      rows.map((u) => ({
        user_sid: u.user_sid,
        name: u.name,
        email: u.email,
        scope: scopeOf(u),
        force_change: u.force_change,
        is_active: u.is_active,
        ...(u.account_sid ? { account_sid: u.account_sid, account_name: u.account_name } : {}),
        ...(u.service_provider_sid
          ? {
              service_provider_sid: u.service_provider_sid,
              service_provider_name: u.service_provider_name,
            }
          : {}),
      })),
    )
  },

  'POST /Users': async ({ db, caller, body }) => {
    requireKeys(body, 'name', 'email')
    const { initial_password, is_view_only, ...columns } = body
    // the real server hashes it unchecked and without error handling
    if (initial_password === undefined) process.exit(1)
    await checkPassword(db, initial_password)
    const [taken] = await db.rows('SELECT 1 FROM users WHERE name = ? OR email = ?', [
      body.name,
      body.email,
    ])
    if (taken) refuse(422, 'invalid username or email')
    if (caller.scope === 'service_provider')
      columns.service_provider_sid = caller.service_provider_sid
    if (caller.scope === 'account') columns.account_sid = caller.account_sid
    const hashed_password = hashPassword(String(initial_password))
    const user = { ...columns, provider: 'local', hashed_password }
    const user_sid = await db.insert('users', 'user_sid', user)
    if (is_view_only) await setViewOnly(db, user_sid, true)
    return created({ user_sid })
  },

  'GET /Users/:sid': async (call) => {
    const { hashed_password: _, ...user } = await findUser(call)
    const is_view_only = isViewOnly(await permissionsOf(call.db, user.user_sid))
    return ok({ ...user, is_view_only })
  },

  'PUT /Users/:sid': async (call) => {
    const { db, body, caller, params } = call
    const user = await db.row('users', 'user_sid', params.sid)
    if (!user) return refuse(400, 'Invalid request: user_sid does not exist')
    if (!reaches(call, user) && caller.user_sid !== user.user_sid)
      return { status: 403, text: 'Forbidden' }
    await checkOwners(call, user)
    const { initial_password, old_password, new_password, name, email, is_active, force_change } =
      body
    const requested = [name, new_password, email, initial_password, force_change, is_active]
    if (!requested.some(Boolean) && body.is_view_only === undefined)
      refuse(400, 'no updates requested')
    if (Boolean(old_password) !== Boolean(new_password))
      refuse(400, 'new_password and old_password both required')
    if (new_password && name) refuse(400, 'can not change name and password simultaneously')
    if (body.email_activation_code && !email)
      refuse(400, 'email and email_activation_code both required')
    for (const password of [initial_password, new_password])
      if (password) await checkPassword(db, password)

    const changes: Row = {}
    if (new_password) {
      if (!verifyPassword(user.hashed_password, String(old_password)))
        return { status: 403, text: 'Forbidden' }
      if (old_password === new_password) refuse(500, 'new password cannot be your old password')
      Object.assign(changes, {
        hashed_password: hashPassword(String(new_password)),
        force_change: 0,
      })
    }
    if (initial_password) changes.hashed_password = hashPassword(String(initial_password))
    if (name) changes.name = name
    if (email) changes.email = email
    if (body.email_activation_code)
      Object.assign(changes, {
        email_activation_code: body.email_activation_code,
        email_validated: 0,
      })
    if (is_active !== undefined) changes.is_active = is_active
    if (force_change !== undefined) changes.force_change = force_change
    for (const column of ['account_sid', 'service_provider_sid'])
      if (body[column]) {
        changes[column] = body[column]
        endSession(user.user_sid)
      }
    if (Object.keys(changes).length > 0) await db.update('users', 'user_sid', params.sid, changes)
    // removed when absent
    await setViewOnly(db, user.user_sid, body.is_view_only)
    return noContent
  },

  'DELETE /Users/:sid': async (call) => {
    const user = await findUser(call)
    const [admins] = await call.db.rows(
      'SELECT count(*) AS n FROM users WHERE is_active = 1 AND account_sid IS NULL AND service_provider_sid IS NULL',
    )
    if (scopeOf(user) === 'admin' && user.is_active && Number(admins!.n) === 1)
      refuse(400, 'Bad request')
    await call.db.remove('users', 'user_sid', user.user_sid)
    endSession(user.user_sid)
    return noContent
  },
}
