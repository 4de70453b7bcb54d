import { crud } from './crud.ts'
import type { Row } from './database.ts'
import { guardAccount } from './guards.ts'
import { decrypt, encrypt, obscure } from './secrets.ts'
import { CATALOGUE, PRESERVED, TESTABLE, VENDORS } from './vendors.ts'
import {
  type Answer,
  type Call,
  checkUuid,
  created,
  noContent,
  notFound,
  ok,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

const PRIMARY = 'speech_credential_sid'
const vendorOf = (vendor: unknown) => String(vendor).replace(/^custom:.*/, 'custom')
const members = (vendor: unknown) =>
  (VENDORS[vendorOf(vendor)] ?? refuse(500, `invalid or missing vendor: ${vendor}`))
    .split(' ')
    .map((text) => ({
      name: text.replace(/[!*]/g, ''),
      required: text.includes('!'),
      secret: text.includes('*'),
    }))

function credentialOf(vendor: unknown, body: Row) {
  const kept: Row = {}
  const custom = body.custom_tts_endpoint_url || body.custom_stt_endpoint_url
  for (const { name, required } of members(vendor)) {
    if (required && !body[name] && !custom)
      refuse(500, `invalid ${vendor} speech credential: ${name} is required`)
    kept[name] = body[name]
  }
  return encrypt(JSON.stringify(kept))
}

const withoutKey = (text: unknown) => {
  const key = JSON.parse(String(text)) as Row
  const head = '-----BEGIN PRIVATE KEY-----\n'
  return JSON.stringify({
    ...key,
    private_key: head + obscure(String(key.private_key).slice(head.length)),
  })
}

function presentCredential({ credential, ...row }: Row): Row {
  const kept = JSON.parse(decrypt(credential)) as Row
  const read: Row = {}
  for (const { name, secret } of members(row.vendor))
    read[name] = secret && kept[name] ? obscure(kept[name]) : (kept[name] ?? null)
  if (row.vendor === 'google' && kept.service_key) read.service_key = withoutKey(kept.service_key)
  return { ...row, ...read }
}

const insufficient = () => refuse(403, 'Insufficient privileges')
const ownCredential = ({ caller }: Call, row: Row) =>
  caller.scope === 'admin' ||
  (caller.scope === 'account'
    ? row.account_sid === caller.account_sid
    : row.service_provider_sid === caller.service_provider_sid)

async function findCredential(call: Call) {
  checkUuid(call.params.credential!)
  const row = await call.db.row('speech_credentials', PRIMARY, call.params.credential)
  if (row && !ownCredential(call, row)) insufficient()
  return row
}

/** Removed from provider-level credentials that account users see. */
const HIDDEN = [
  'api_key',
  'secret_access_key',
  'secret',
  'auth_token',
  'stt_api_key',
  'tts_api_key',
]

async function list(call: Call, account: unknown, provider: unknown) {
  const rows = await call.db.rows(
    'SELECT * FROM speech_credentials WHERE account_sid = ? OR (account_sid IS NULL AND service_provider_sid = ?)',
    [account, provider],
  )
  return ok(
    rows.map((row) => {
      const credential = presentCredential(row)
      if (call.caller.scope === 'account' && !row.account_sid)
        for (const name of HIDDEN) delete credential[name]
      return credential
    }),
  )
}

async function add(call: Call, provider?: string) {
  const { db, caller, body } = call
  const { vendor, label = null, use_for_tts = null, use_for_stt = null } = body
  // from the caller or the body; the account in the path is ignored
  const owners = {
    account_sid: caller.account_sid ?? body.account_sid ?? null,
    service_provider_sid:
      caller.service_provider_sid ?? body.service_provider_sid ?? provider ?? null,
  }
  if (vendor === undefined)
    refuse(500, "Cannot read properties of undefined (reading 'startsWith')")
  const owner = owners.account_sid ? 'account_sid' : 'service_provider_sid'
  const [same] = await db.rows(
    'SELECT 1 FROM speech_credentials WHERE vendor = ? AND label = ? AND ?? = ?',
    [vendor, label, owner, owners[owner]],
  )
  if (label && same) refuse(422, `Label ${label} is already in use for another speech credential`)
  const credential = credentialOf(vendor, body)
  const row = { vendor, label, use_for_tts, use_for_stt, ...owners, credential }
  return created({ sid: await db.insert('speech_credentials', PRIMARY, row) })
}

/** Keeps secrets and removes other absent fields. After the flags are saved, errors are swallowed. */
async function change(call: Call): Promise<Answer> {
  const { db, params, body } = call
  const { use_for_tts, use_for_stt } = body
  const row = await db.row('speech_credentials', PRIMARY, params.credential)
  if (!row) return notFound
  if (use_for_tts === undefined && use_for_stt === undefined)
    refuse(422, 'use_for_tts and use_for_stt are the only updateable fields')
  const flags = {
    ...(use_for_tts !== undefined && { use_for_tts }),
    ...(use_for_stt !== undefined && { use_for_stt }),
  }
  await db.update('speech_credentials', PRIMARY, params.credential, flags)
  const kept = JSON.parse(decrypt(row.credential)) as Row
  for (const { name } of members(row.vendor))
    if (!PRESERVED.has(name) && (name !== 'model_id' || 'model_id' in body)) kept[name] = body[name]
  if (!ownCredential(call, row)) return noContent
  try {
    const credential = credentialOf(row.vendor, kept)
    await db.update('speech_credentials', PRIMARY, params.credential, { credential })
  } catch {
    // as on the real server: 204 although nothing changed
  }
  return noContent
}

async function testCredential(call: Call): Promise<Answer> {
  const row = await findCredential(call)
  if (!row) return notFound
  const sides = TESTABLE[vendorOf(row.vendor)] ?? ['tts', 'stt']
  const status = (side: 'tts' | 'stt') =>
    sides.includes(side) && row[`use_for_${side}`] ? { status: 'ok' } : { status: 'not tested' }
  const result = { tts: status('tts'), stt: status('stt') }
  for (const side of ['tts', 'stt'] as const)
    if (result[side].status === 'ok')
      await call.db.update('speech_credentials', PRIMARY, call.params.credential, {
        last_tested: new Date(),
        [`${side}_tested_ok`]: 1,
      })
  return ok(result)
}

const catalogue = ({ query }: Call) => {
  if (!query.vendor) refuse(400, 'vendor is required')
  if (!VENDORS[query.vendor!] || query.vendor === 'deepgramflux')
    refuse(422, `Invalid vendor ${query.vendor}`)
  return ok(CATALOGUE)
}

type Guard = (call: Call) => Promise<void> | void

/** The same routes below accounts and providers. */
const nestedRoutes = (path: string, guard: Guard, own: Routes): Routes => {
  const one = `${path}/:credential`
  const guarded: Routes = {
    ...own,
    [`GET ${path}/speech/supportedLanguagesAndVoices`]: catalogue,
    [`GET ${one}`]: async (call) => {
      const row = await findCredential(call)
      return row ? ok(presentCredential(row)) : notFound
    },
    [`PUT ${one}`]: change,
    [`DELETE ${one}`]: async (call) => {
      const row = await findCredential(call)
      if (!row) return notFound
      await call.db.remove('speech_credentials', PRIMARY, call.params.credential)
      return noContent
    },
    [`GET ${one}/test`]: testCredential,
  }
  return Object.fromEntries(
    Object.entries(guarded).map(([route, handler]) => [
      route,
      async (call: Call) => {
        await guard(call)
        return handler(call)
      },
    ]),
  )
}

async function checkOwnProvider({ db, caller, params }: Call) {
  checkUuid(params.sid!)
  if (caller.scope === 'admin') return
  const account = await db.row('accounts', 'account_sid', caller.account_sid)
  const provider = account?.service_provider_sid ?? caller.service_provider_sid
  if (provider !== params.sid) insufficient()
}

const voices: Routes = {
  ...crud('/GoogleCustomVoices', {
    table: 'google_custom_voices',
    primary: 'google_custom_voice_sid',
    before: async ({ db, body }, op) => {
      if (op !== 'add') return
      if (!body[PRIMARY]) refuse(400, 'missing speech_credential_sid')
      if (!(await db.row('speech_credentials', PRIMARY, body[PRIMARY])))
        refuse(400, 'Invalid speech_credential_sid')
      requireKeys(body, 'model', 'name')
    },
  }),
  'GET /GoogleCustomVoices': async (call) => {
    const { db, caller, query } = call
    const of = (sid: unknown) =>
      db.rows('SELECT * FROM google_custom_voices WHERE speech_credential_sid = ?', [sid])
    if (query[PRIMARY]) {
      const row = await db.row('speech_credentials', PRIMARY, query[PRIMARY])
      if (!row) return notFound
      if (!ownCredential(call, row)) insufficient()
      return ok(await of(row[PRIMARY]))
    }
    const account = caller.account_sid ?? query.account_sid
    const provider = caller.service_provider_sid ?? query.service_provider_sid
    if (!account && !provider)
      refuse(400, 'missing account_sid or service_provider_sid in query parameters')
    const credentials = await db.rows(
      'SELECT * FROM speech_credentials WHERE account_sid = ? OR (account_sid IS NULL AND service_provider_sid = ?)',
      [account || null, provider || null],
    )
    return ok((await Promise.all(credentials.map((row) => of(row[PRIMARY])))).flat())
  },
}

export const speech: Routes = {
  ...nestedRoutes('/Accounts/:sid/SpeechCredentials', guardAccount, {
    'GET /Accounts/:sid/SpeechCredentials': async (call) => {
      const account = await call.db.row('accounts', 'account_sid', call.params.sid)
      if (!account) return refuse(500, "Cannot read properties of undefined (reading '0')")
      return list(call, account.account_sid, account.service_provider_sid)
    },
    'POST /Accounts/:sid/SpeechCredentials': (call) => add(call),
  }),
  ...nestedRoutes('/ServiceProviders/:sid/SpeechCredentials', checkOwnProvider, {
    'GET /ServiceProviders/:sid/SpeechCredentials': (call) =>
      list(call, call.caller.account_sid, call.params.sid),
    'POST /ServiceProviders/:sid/SpeechCredentials': (call) => add(call, call.params.sid),
  }),
  ...voices,
}
