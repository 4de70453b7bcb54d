import { crud } from './crud.ts'
import { checkAccount, guardAccount, guardAdmin } from './guards.ts'
import { created, noContent, ok, type Routes, refuse, refuseInGuard, requireKeys } from './wire.ts'

/** System-wide settings and read-only resources. */

const addresses: Routes = {
  ...crud('/Sbcs', {
    table: 'sbc_addresses',
    primary: 'sbc_address_sid',
    required: ['ipv4'],
    before: ({ caller }) => {
      if (caller.scope !== 'admin') refuse(500, 'res.status is not a function')
    },
  }),
  ...crud('/Smpps', { table: 'smpp_addresses', primary: 'smpp_address_sid', required: ['ipv4'] }),
  'GET /Sbcs': async ({ db, caller, query }) => {
    const of = (provider: unknown) =>
      db.rows('SELECT * FROM sbc_addresses WHERE service_provider_sid <=> ?', [provider])
    const own = await of(caller.service_provider_sid ?? query.service_provider_sid ?? null)
    return ok(own.length > 0 ? own : await of(null))
  },
  'GET /Smpps': async ({ db, query }) =>
    ok(
      await db.rows('SELECT * FROM smpp_addresses WHERE service_provider_sid <=> ?', [
        query.service_provider_sid ?? null,
      ]),
    ),
}

const system: Routes = {
  'GET /SystemInformation': async (call) => {
    guardAdmin(call)
    return ok((await call.db.rows('SELECT * FROM system_information'))[0] ?? {})
  },
  'POST /SystemInformation': async (call) => {
    guardAdmin(call)
    const { db, body } = call
    // the real server has no error handling here
    try {
      const rows = await db.rows('SELECT * FROM system_information')
      db.checkColumns('system_information', body)
      if (rows.length === 0) await db.rows('INSERT INTO system_information SET ?', [body])
      else await db.rows('UPDATE system_information SET ?', [body])
    } catch (e) {
      console.error(e)
      process.exit(1)
    }
    return created((await db.rows('SELECT * FROM system_information'))[0]!)
  },

  'GET /PasswordSettings': async ({ db }) =>
    ok((await db.rows('SELECT * FROM password_settings'))[0] ?? { min_password_length: 8 }),
  'POST /PasswordSettings': async ({ db, caller, body }) => {
    if (caller.scope !== 'admin') return { status: 403, text: 'Forbidden' }
    const length = Number(body.min_password_length)
    if (length && (length < 8 || length > 20))
      refuse(400, 'invalid min_password_length property: should be between 8-20')
    const known = ['min_password_length', 'require_digit', 'require_special_character']
    const row = Object.fromEntries(known.filter((k) => k in body).map((k) => [k, body[k]]))
    if (Object.keys(row).length === 0) return created({})
    const [there] = await db.rows('SELECT * FROM password_settings')
    await db.rows(`${there ? 'UPDATE' : 'INSERT INTO'} password_settings SET ?`, [row])
    return created({})
  },

  'GET /Availability': async ({ db, query }) => {
    const where: Record<string, [table: string, column: string]> = {
      email: ['users', 'email'],
      phone: ['users', 'phone'],
      subdomain: ['accounts', 'sip_realm'],
    }
    const at = where[query.type ?? '']
    if (!at) return refuse(400, `invalid type: ${query.type}`)
    return ok({ available: !(await db.row(...at, query.value)) })
  },
}

/** Number of cached TTS prompts by account. */
const cached = new Map([['9351f46a-678c-43f5-b8a6-d4eb58d131af', 3]])

const cache: Routes = {
  'GET /TtsCache': (call) => {
    guardAdmin(call)
    return ok({ size: [...cached.values()].reduce((sum, n) => sum + n, 0) })
  },
  'DELETE /TtsCache': (call) => {
    guardAdmin(call)
    cached.clear()
    return noContent
  },
  'GET /Accounts/:sid/TtsCache': async (call) => {
    await guardAccount(call)
    return ok({ size: cached.get(call.params.sid!) ?? 0 })
  },
  'DELETE /Accounts/:sid/TtsCache': async (call) => {
    await guardAccount(call)
    cached.delete(call.params.sid!)
    return noContent
  },
  'POST /Accounts/:sid/TtsCache/Synthesize': async (call) => {
    await guardAccount(call)
    const { speech_credential_sid, text, language, voice } = call.body
    if (![speech_credential_sid, text, language, voice].every(Boolean))
      refuse(400, 'speech_credential_sid, text, language, voice are all required')
    return { status: 200, audio: Buffer.from('not really audio') }
  },
}

const webhooks: Routes = {
  'POST /Webhooks': async ({ db, body }) => {
    requireKeys(body, 'url')
    return created({ sid: await db.insert('webhooks', 'webhook_sid', body) })
  },
  'GET /Webhooks/:sid': async ({ db, caller, params }) => {
    if (caller.scope !== 'admin') refuseInGuard(403, 'insufficient privileges')
    const row = await db.row('webhooks', 'webhook_sid', params.sid)
    return row ? ok(row) : { status: 404 }
  },
}

/** No live calls, queues or registrations. */
const live = Object.fromEntries(
  Object.entries({
    Calls: [],
    Queues: [],
    Conferences: [],
    CallCount: { inbound: 0, outbound: 0 },
  }).map(([name, answer]) => [
    `GET /Accounts/:sid/${name}`,
    async (call) => {
      await checkAccount(call)
      return ok(answer)
    },
  ]),
) as Routes

const registered: Routes = {
  'GET /Accounts/:sid/RegisteredSipUsers': async (call) => {
    await checkAccount(call)
    const account = await call.db.row('accounts', 'account_sid', call.params.sid)
    if (!account) return refuse(400, `account not found for sid ${call.params.sid}`)
    if (!account.sip_realm) refuse(400, 'account does not have sip_realm configuration')
    return ok([])
  },
  'POST /Accounts/:sid/RegisteredSipUsers': async (call) => {
    await checkAccount(call)
    return ok(
      (call.items ?? []).map((name) => ({
        name,
        contact: null,
        expiryTime: 0,
        protocol: null,
        registered_status: 'inactive',
      })),
    )
  },
}

/** Billing is not configured. */
const billing: Routes = Object.fromEntries(
  ['Prices', 'StripeCustomerId', 'Subscriptions', 'Invoices'].map((name) => [
    `GET /${name}`,
    () => refuse(500, 'listProducts is not a function'),
  ]),
)

export const settings: Routes = {
  ...addresses,
  ...system,
  ...cache,
  ...webhooks,
  ...live,
  ...registered,
  ...billing,
}
