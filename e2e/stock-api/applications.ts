import type { Database, Row } from './database.ts'
import { checkAccount, checkProviderRead, mayReachAccount } from './guards.ts'
import { storeHook, withHooks } from './hooks.ts'
import { decrypt, encrypt } from './secrets.ts'
import {
  type Call,
  checkUuid,
  created,
  noContent,
  ok,
  paginate,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

const HOOKS = ['call_hook', 'call_status_hook', 'messaging_hook']
const PRIMARY = 'application_sid'

const presentApplication = async (db: Database, row: Row) => {
  const application = await withHooks(db, row, HOOKS, true)
  const env_vars = row.env_vars === null ? null : JSON.parse(decrypt(row.env_vars))
  return { ...application, env_vars }
}

function checkUrl(name: string, hook: unknown, op: 'adding' | 'updating') {
  if (typeof hook !== 'object') refuse(400, `'${name}' must be an object when ${op} an application`)
  const url = String((hook as Row).url)
  if (url.trim() !== url) refuse(400, `${name} URL contains leading/trailing whitespace`)
  if (!URL.canParse(url)) refuse(400, `${name} URL is invalid`)
  const { protocol, hostname } = new URL(url)
  if (!/^[a-z0-9.-]+$/i.test(hostname)) refuse(400, `${name} URL has invalid hostname ${hostname}`)
  if (!/^(https?|wss?):$/.test(protocol))
    refuse(400, `${name} URL has missing or invalid protocol ${protocol}`)
}

/** Converts the fields whose stored form differs from the request. */
function toColumns(body: Row) {
  const columns = { ...body }
  if (body.app_json) {
    const verbs = JSON.parse(String(body.app_json)) as unknown
    if (!Array.isArray(verbs)) refuse(400, 'Error: malformed jambonz payload: must be array')
  }
  if (body.env_vars) columns.env_vars = encrypt(JSON.stringify(body.env_vars))
  return columns
}

/** Finds the application. `own` says whether it is in the caller's scope. */
async function findApplication(call: Call) {
  checkUuid(call.params.sid!)
  const row = await call.db.row('applications', PRIMARY, call.params.sid)
  return { row, own: row !== undefined && (await mayReachAccount(call, row.account_sid)) }
}

export const applications: Routes = {
  'GET /Applications': (call) => {
    const { caller, query, db } = call
    const [where, owner] =
      caller.scope === 'admin'
        ? ['? IS NULL', null]
        : caller.scope === 'account'
          ? ['t.account_sid = ?', caller.account_sid]
          : [
              't.account_sid IN (SELECT account_sid FROM accounts WHERE service_provider_sid = ?)',
              caller.service_provider_sid,
            ]
    return paginate(
      call,
      `FROM applications t WHERE ${where}${query.name ? ' AND t.name LIKE ?' : ''}`,
      [owner, ...(query.name ? [`%${query.name}%`] : [])],
      query.page === undefined ? 'ORDER BY t.application_sid' : 'ORDER BY t.name',
      (row) => presentApplication(db, row),
    )
  },

  'GET /Accounts/:sid/Applications': async (call) => {
    await checkAccount(call)
    // the name filter applies to paged requests only
    const named = call.query.page !== undefined && call.query.name
    return paginate(
      call,
      `FROM applications t WHERE t.account_sid = ?${named ? ' AND t.name LIKE ?' : ''}`,
      [call.params.sid, ...(named ? [`%${named}%`] : [])],
      'ORDER BY t.name',
      (row) => presentApplication(call.db, row),
    )
  },

  // returns all tenants' applications except to account users, as the real server does
  'GET /ServiceProviders/:sid/Applications': async (call) => {
    await checkProviderRead(call)
    const { db, caller } = call
    const own = caller.scope === 'account' ? 'WHERE account_sid = ?' : ''
    const rows = await db.rows(`SELECT * FROM applications ${own} ORDER BY application_sid`, [
      caller.account_sid,
    ])
    return ok(await Promise.all(rows.map((row) => withHooks(db, row, HOOKS, true))))
  },

  'POST /Applications': async (call) => {
    const { db, caller } = call
    const body = { ...call.body }
    if (caller.scope === 'account') body.account_sid = caller.account_sid
    if (caller.scope === 'service_provider') {
      if (!body.account_sid) refuse(400, "missing required field: 'account_sid'")
      if (!(await mayReachAccount(call, body.account_sid))) refuse(403, 'insufficient privileges')
    }
    for (const name of ['call_hook', 'call_status_hook']) {
      if (!body[name]) refuse(500, "Cannot read properties of undefined (reading 'url')")
      checkUrl(name, body[name], 'adding')
    }
    requireKeys(body, 'name', 'account_sid')
    for (const name of HOOKS) {
      const hook = body[name]
      delete body[name]
      if (hook) body[`${name}_sid`] = await storeHook(db, hook as Row)
    }
    return created({ sid: await db.insert('applications', PRIMARY, toColumns(body)) })
  },

  'GET /Applications/:sid': async (call) => {
    const { row, own } = await findApplication(call)
    return row && own ? ok(await presentApplication(call.db, row)) : { status: 404 }
  },

  'PUT /Applications/:sid': async (call) => {
    const { db, caller, params } = call
    const { row, own } = await findApplication(call)
    if (caller.scope === 'account' && !own) refuse(403, 'insufficient privileges')
    if (caller.scope === 'service_provider' && !own) refuse(403, 'insufficient permissions')
    if (!row) return { status: 404 }
    const body = { ...call.body }
    for (const name of HOOKS) {
      if (!(name in body)) continue
      const hook = body[name]
      delete body[name]
      if (hook === null) refuse(500, 'Cannot convert undefined or null to object')
      if (Object.keys(hook as Row).length === 0) continue
      if (caller.scope !== 'service_provider' && name !== 'messaging_hook')
        checkUrl(name, hook, 'updating')
      body[`${name}_sid`] = await storeHook(db, hook as Row)
    }
    await db.update('applications', PRIMARY, params.sid, toColumns(body))
    return noContent
  },

  'DELETE /Applications/:sid': async (call) => {
    const { db, caller, params } = call
    const { row, own } = await findApplication(call)
    if (!row) return refuse(caller.scope === 'account' ? 400 : 500, 'application does not exist')
    if (!own) refuse(caller.scope === 'account' ? 422 : 403, 'insufficient permissions')
    if (caller.scope !== 'service_provider' && (await db.row('phone_numbers', PRIMARY, params.sid)))
      refuse(422, 'cannot delete application with phone numbers')
    await db.remove('applications', PRIMARY, params.sid)
    for (const name of HOOKS) {
      const column = `${name}_sid`
      if (row[column] && !(await db.row('applications', column, row[column])))
        await db.remove('webhooks', 'webhook_sid', row[column])
    }
    return noContent
  },

  'GET /AppEnv': async ({ query }) => {
    const url = query.url?.replace(/^ws(s?):/i, 'http$1:')
    if (!url || !URL.canParse(url) || !/^https?:/.test(url)) return { status: 500, json: {} }
    try {
      const answer = await fetch(url, {
        method: 'OPTIONS',
        headers: { accept: 'application/json' },
      })
      const schema = answer.ok ? ((await answer.json()) as unknown) : undefined
      return schema ? ok(schema) : noContent
    } catch {
      return noContent
    }
  },
}
