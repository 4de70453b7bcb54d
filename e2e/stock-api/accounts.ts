import { randomBytes } from 'node:crypto'
import type { Database, Row } from './database.ts'
import { checkAccount, guardAccount, guardProvider } from './guards.ts'
import { addHooks, changeHooks, withHooks } from './hooks.ts'
import { decrypt, encrypt, obscure } from './secrets.ts'
import {
  type Call,
  created,
  noContent,
  notFound,
  ok,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

const HOOKS = ['registration_hook', 'queue_event_hook']
const newSecret = () => `wh_secret_${randomBytes(16).toString('base64url').replace(/\W|_/g, 'x')}`

/** Lists show the bucket's secret unmasked, as on the real server. */
export async function presentAccount(db: Database, row: Row, masked = false) {
  const account = await withHooks(db, row, HOOKS, false)
  if (row.bucket_credential === null) return account
  const bucket = JSON.parse(decrypt(row.bucket_credential)) as Row
  if (masked)
    for (const secret of ['secret_access_key', 'connection_string', 'service_key'])
      if (bucket[secret]) bucket[secret] = obscure(bucket[secret])
  return { ...account, bucket_credential: bucket }
}

const REQUIRED: Record<string, string[]> = {
  aws_s3: ['access_key_id', 'secret_access_key', 'name', 'region'],
  s3_compatible: ['access_key_id', 'secret_access_key', 'name', 'endpoint'],
  google: ['service_key'],
  azure: ['name', 'connection_string'],
}

function storedBucket(sent: unknown, before: unknown) {
  const bucket = sent as Row | null
  if (bucket === null || bucket.vendor === 'none') return null
  const vendor = String(bucket.vendor)
  const required = REQUIRED[vendor]
  if (!required) return refuse(400, `unknown storage vendor: ${vendor}`)
  for (const key of required)
    if (!bucket[key]) refuse(500, `invalid ${vendor} bucket credential: ${key} is required`)
  const old = JSON.parse(decrypt(before)) as Row
  const stored = { ...bucket }
  for (const secret of ['secret_access_key', 'connection_string', 'service_key'])
    if (/^.{4,6}X+$/.test(String(stored[secret] ?? ''))) stored[secret] = old[secret]
  return encrypt(JSON.stringify(stored))
}

/** No transaction: when a statement fails, earlier deletions remain. */
async function deleteAccount(db: Database, account: Row) {
  const sid = account.account_sid
  await db.rows(
    'DELETE FROM account_products WHERE account_subscription_sid IN (SELECT account_subscription_sid FROM account_subscriptions WHERE account_sid = ?)',
    [sid],
  )
  for (const table of [
    'api_keys',
    'account_subscriptions',
    'speech_credentials',
    'users',
    'phone_numbers',
    'call_routes',
    'ms_teams_tenants',
  ])
    await db.remove(table, 'account_sid', sid)
  await db.rows(
    'DELETE FROM sip_gateways WHERE voip_carrier_sid IN (SELECT voip_carrier_sid FROM voip_carriers WHERE account_sid = ?)',
    [sid],
  )
  for (const table of ['voip_carriers', 'applications', 'accounts'])
    await db.remove(table, 'account_sid', sid)
}

const limits = (owner: 'account' | 'service_provider', path: string): Routes => {
  const [table, column] = [`${owner}_limits`, `${owner}_sid`]
  const guard = owner === 'account' ? guardAccount : guardProvider
  const where = (call: Call) =>
    [
      `FROM ${table} WHERE ${column} = ?${call.query.category ? ' AND category = ?' : ''}`,
      [call.params.sid, call.query.category],
    ] as const
  return {
    [`GET ${path}`]: async (call) => {
      await guard(call)
      const [from, values] = where(call)
      return ok(await call.db.rows(`SELECT * ${from}`, [...values]))
    },
    [`POST ${path}`]: async (call) => {
      await guard(call)
      const { category, quantity = null } = call.body
      const [there] = await call.db.rows(
        `SELECT * FROM ${table} WHERE ${column} = ? AND category = ?`,
        [call.params.sid, category],
      )
      const primary = `${table}_sid`
      if (there) {
        await call.db.update(table, primary, there[primary], { quantity })
        return created({ sid: there[primary] })
      }
      const row = { [column]: call.params.sid, category, quantity }
      return created({ sid: await call.db.insert(table, primary, row) })
    },
    [`DELETE ${path}`]: async (call) => {
      await guard(call)
      const [from, values] = where(call)
      await call.db.rows(`DELETE ${from}`, [...values])
      return noContent
    },
  }
}

export const accounts: Routes = {
  'GET /Accounts': async ({ db, caller }) => {
    const [where, value] =
      caller.scope === 'admin'
        ? ['1 = 1', null]
        : caller.scope === 'account'
          ? ['account_sid = ?', caller.account_sid]
          : ['service_provider_sid = ?', caller.service_provider_sid]
    const rows = await db.rows(`SELECT * FROM accounts WHERE ${where}`, [value])
    return ok(await Promise.all(rows.map((row) => presentAccount(db, row))))
  },

  'POST /Accounts': async ({ db, caller, body }) => {
    if (caller.scope === 'account') refuse(403, 'insufficient permissions')
    const sent = { ...body }
    if (caller.scope === 'service_provider') sent.service_provider_sid = caller.service_provider_sid
    const provider = sent.service_provider_sid
    if (provider && !(await db.row('service_providers', 'service_provider_sid', provider)))
      refuse(400, `service_provider not found for sid ${provider}`)
    const columns = await addHooks(db, sent, HOOKS, 'an account')
    requireKeys(columns, 'service_provider_sid', 'name')
    if (typeof columns.sip_realm === 'string') columns.sip_realm = columns.sip_realm.toLowerCase()
    columns.webhook_secret = newSecret()
    return created({ sid: await db.insert('accounts', 'account_sid', columns) })
  },

  'GET /Accounts/:sid': async (call) => {
    await checkAccount(call)
    const row = await call.db.row('accounts', 'account_sid', call.params.sid)
    return row ? ok(await presentAccount(call.db, row, true)) : { status: 404 }
  },

  'PUT /Accounts/:sid': async (call) => {
    const { db, caller, body, params } = call
    await checkAccount(call)
    // refused even if unchanged
    if (caller.scope === 'account' && body.sip_realm)
      refuse(400, 'use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm')
    const account = await db.row('accounts', 'account_sid', params.sid)
    if (!account) return refuse(400, `account not found for sid ${params.sid}`)
    if (body.service_provider_sid) refuse(400, 'service_provider_sid may not be modified')
    if ('account_sid' in body) refuse(400, 'primary key account_sid is immutable')
    const columns = await changeHooks(db, body, HOOKS)
    if ('bucket_credential' in columns)
      columns.bucket_credential = storedBucket(columns.bucket_credential, account.bucket_credential)
    if (typeof columns.sip_realm === 'string') columns.sip_realm = columns.sip_realm.toLowerCase()
    await db.update('accounts', 'account_sid', params.sid, columns)
    return noContent
  },

  'DELETE /Accounts/:sid': async (call) => {
    await checkAccount(call)
    const account = await call.db.row('accounts', 'account_sid', call.params.sid)
    if (!account) return refuse(500, "Cannot read properties of undefined (reading 'sip_realm')")
    await deleteAccount(call.db, account)
    return noContent
  },

  'GET /Accounts/:sid/WebhookSecret': async (call) => {
    await checkAccount(call)
    const { db, params, query } = call
    const account = await db.row('accounts', 'account_sid', params.sid)
    if (!account) return notFound
    if (!query.regenerate) return ok({ webhook_secret: account.webhook_secret })
    const webhook_secret = newSecret()
    await db.update('accounts', 'account_sid', params.sid, { webhook_secret })
    return ok({ webhook_secret })
  },

  'POST /Accounts/:sid/BucketCredentialTest': () => ok({ status: 'ok' }),

  'POST /Accounts/:sid/SipRealms/:realm': async (call) => {
    await guardAccount(call)
    const { db, caller, params } = call
    if (!/^[\w-]+(\.[\w-]+)+\.\w+$/.test(params.realm!))
      refuse(400, `invalid sip_realm: ${params.realm}`)
    const realm = { sip_realm: params.realm }
    // updates the caller's account and ignores the path
    const matched = await db.update('accounts', 'account_sid', caller.account_sid, realm)
    if (!matched) refuse(500, 'failure updating accounts table with sip_realm value')
    return noContent
  },

  ...limits('account', '/Accounts/:sid/Limits'),
  ...limits('service_provider', '/ServiceProviders/:sid/Limits'),
}
