import { randomUUID } from 'node:crypto'
import { presentAccount } from './accounts.ts'
import type { Row } from './database.ts'
import { checkAccount, checkProviderRead, checkProviderWrite, mayReachAccount } from './guards.ts'
import { addHooks, storeHook, withHooks } from './hooks.ts'
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

const PRIMARY = 'service_provider_sid'
const HOOK = ['registration_hook']

/** Limits account users to their own rows of a provider. */
const ofProvider = (call: Call, alias: string) =>
  call.caller.scope === 'account' ? ` AND ${alias}.account_sid = ?` : ''

export const providers: Routes = {
  'GET /ServiceProviders': async ({ db, caller }) => {
    const rows = await db.rows(
      `SELECT * FROM service_providers${caller.scope === 'admin' ? '' : ' WHERE service_provider_sid = ?'}`,
      [caller.service_provider_sid],
    )
    return ok(await Promise.all(rows.map((row) => withHooks(db, row, HOOK, false))))
  },

  'POST /ServiceProviders': async ({ db, caller, body }) => {
    if (caller.scope !== 'admin') refuse(403, 'only admin users can add a service provider')
    const columns = await addHooks(db, body, HOOK, 'a service provider')
    requireKeys(columns, 'name')
    return created({ sid: await db.insert('service_providers', PRIMARY, columns) })
  },

  'GET /ServiceProviders/:sid': async (call) => {
    await checkProviderRead(call)
    const row = await call.db.row('service_providers', PRIMARY, call.params.sid)
    return row ? ok(await withHooks(call.db, row, HOOK, false)) : { status: 404 }
  },

  'PUT /ServiceProviders/:sid': async (call) => {
    checkProviderWrite(call)
    const { registration_hook, ...columns } = call.body
    if (registration_hook === null) refuse(500, 'Cannot convert undefined or null to object')
    const hook = registration_hook as Row | undefined
    // cleared when absent or empty
    columns.registration_hook_sid = hook?.url ? await storeHook(call.db, hook) : null
    const matched = await call.db.update('service_providers', PRIMARY, call.params.sid, columns)
    return matched ? noContent : { status: 404 }
  },

  'DELETE /ServiceProviders/:sid': async ({ db, caller, params: { sid } }) => {
    if (caller.scope !== 'admin') refuse(403, 'only admin users can delete a service provider')
    for (const table of ['accounts', 'users'])
      if (await db.row(table, PRIMARY, sid)) refuse(403, 'insufficient privileges')
    await db.remove('speech_credentials', PRIMARY, sid)
    for (const table of ['sip_gateways', 'smpp_gateways'])
      await db.rows(
        'DELETE FROM ?? WHERE voip_carrier_sid IN (SELECT voip_carrier_sid FROM voip_carriers WHERE service_provider_sid = ?)',
        [table, sid],
      )
    for (const table of ['voip_carriers', 'api_keys']) await db.remove(table, PRIMARY, sid)
    return (await db.remove('service_providers', PRIMARY, sid)) ? noContent : notFound
  },

  'GET /ServiceProviders/:sid/Accounts': async (call) => {
    await checkProviderRead(call)
    const { db, caller, params } = call
    const rows = await db.rows(
      `SELECT * FROM accounts a WHERE service_provider_sid = ?${ofProvider(call, 'a')}`,
      [params.sid, caller.account_sid],
    )
    return ok(await Promise.all(rows.map((row) => presentAccount(db, row))))
  },

  'GET /ServiceProviders/:sid/PhoneNumbers': async (call) => {
    await checkProviderRead(call)
    const { db, caller, params } = call
    return ok(
      await db.rows(
        `SELECT n.* FROM phone_numbers n JOIN accounts a ON a.account_sid = n.account_sid
         WHERE a.service_provider_sid = ?${ofProvider(call, 'n')} ORDER BY n.number`,
        [params.sid, caller.account_sid],
      ),
    )
  },

  'GET /ServiceProviders/:sid/ApiKeys': async (call) => {
    await checkProviderRead(call)
    const { db, caller, params } = call
    return ok(
      await db.rows(
        `SELECT * FROM api_keys k WHERE service_provider_sid = ?${ofProvider(call, 'k')}`,
        [params.sid, caller.account_sid],
      ),
    )
  },

  'GET /Accounts/:sid/ApiKeys': async (call) => {
    await checkAccount(call)
    const { sid } = call.params
    return ok(await call.db.rows('SELECT * FROM api_keys WHERE account_sid = ?', [sid]))
  },

  'POST /ApiKeys': async (call) => {
    const { db, caller } = call
    const body = { ...call.body }
    if (caller.scope === 'service_provider') {
      if (!body.account_sid && !body.service_provider_sid)
        refuse(400, 'service provider token may not be used to create admin token')
      const other =
        (body.service_provider_sid && body.service_provider_sid !== caller.service_provider_sid) ||
        (body.account_sid && !(await mayReachAccount(call, body.account_sid)))
      if (other)
        refuse(
          400,
          'a service provider token can only be used to create tokens for the same service provider',
        )
      if (body.account_sid) delete body.service_provider_sid
    }
    if (caller.scope === 'account' && body.account_sid !== caller.account_sid)
      refuse(
        400,
        'an account level token can only be used to create account level tokens for the same account',
      )
    const token = randomUUID()
    return created({ sid: await db.insert('api_keys', 'api_key_sid', { ...body, token }), token })
  },

  'DELETE /ApiKeys/:sid': async ({ db, caller, params }) => {
    const key = await db.row('api_keys', 'api_key_sid', params.sid)
    if (!key) return notFound
    if (caller.scope === 'account' && key.account_sid !== caller.account_sid)
      refuse(400, 'a user may not delete a token associated with a different account')
    if (caller.scope === 'service_provider') {
      if (!key.account_sid && !key.service_provider_sid)
        refuse(400, 'a service provider user may not delete an admin token')
      if (key.service_provider_sid && key.service_provider_sid !== caller.service_provider_sid)
        refuse(400, 'a service provider user may not delete api key from another service provider')
    }
    await db.remove('api_keys', 'api_key_sid', params.sid)
    return noContent
  },
}
