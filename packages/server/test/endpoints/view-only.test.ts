import { randomUUID } from 'node:crypto'
import { api, isRecord, MASK } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changes, readable } from '../../src/system/mcp/catalogue.ts'
import { type TestApp, testApp } from '../app.ts'
import { MCP, tool } from '../mcp.ts'
import { sample } from '../trust.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/**
 * View-only callers read everything and learn no secret. Every column that holds one gets a canary of its
 * own, and every GET endpoint is read.
 */
let t: TestApp
let w: World

type Planted = (canary: string) => unknown
const plain: Planted = (canary) => canary
const sealed =
  (wrap: Planted = plain): Planted =>
  (canary) =>
    t.ctx.box.seal(String(wrap(canary)))
const json = (value: object) => JSON.stringify(value)

/** Every column that holds a secret, and how it is stored. */
const SECRETS: Record<string, Planted> = {
  'accounts.webhook_secret': plain,
  'accounts.subspace_client_secret': plain,
  'accounts.bucket_credential': sealed((c) =>
    json({
      vendor: 'aws_s3',
      region: 'us-east-1',
      name: 'b',
      access_key_id: 'k',
      secret_access_key: c,
    }),
  ),
  'applications.env_vars': sealed((c) => json({ API_KEY: c, harmless: c })),
  'applications.app_json': (c) =>
    json([{ verb: 'dial', target: [{ type: 'sip', auth: { username: 'u', password: c } }] }]),
  'clients.password': sealed(),
  'google_custom_voices.voice_cloning_key': plain,
  'speech_credentials.credential': sealed((c) =>
    json({ client_email: 'a@example.com', private_key: c }),
  ),
  'switchroom_alert_destinations.address': (c) => `https://hooks.example.com/${c}`,
  'switchroom_alert_destinations.sealed_secret': sealed(),
  'switchroom_event_subscriptions.sealed_secret': sealed(),
  'switchroom_language_models.sealed_key': sealed(),
  'switchroom_totp.sealed_secret': sealed(),
  'switchroom_single_sign_on.sealed_secret': sealed(),
  'switchroom_provider_sessions.sealed_id_token': sealed(),
  'switchroom_program_tokens.sealed': sealed(),
  'users.hashed_password': plain,
  'users.email_activation_code': (c) => c.slice(0, 16),
  'users.phone_activation_code': (c) => c.slice(0, 16),
  'voip_carriers.register_password': plain,
  'voip_carriers.inbound_auth_password': plain,
  'voip_carriers.smpp_password': plain,
  'voip_carriers.smpp_inbound_password': plain,
  'webhooks.password': plain,
  'webhooks.url': (c) => `https://user:${c}@example.com/hook?token=${c}&page=1`,
}

/** Columns with such a name that hold no secret, or only a digested value. */
const HARMLESS = [
  'api_keys.token',
  'beta_invite_codes.invite_code',
  // templates for everybody
  'predefined_carriers.register_password',
  'predefined_carriers.inbound_auth_password',
  'password_settings.min_password_length',
  'switchroom_audit.hash',
  'switchroom_audit_head.hash',
  'switchroom_live.key',
  'switchroom_directories.token_digest',
  'switchroom_model_sessions.token_digest',
  'switchroom_program_tokens.token_digest',
  'switchroom_trunk_report_links.token_digest',
  'switchroom_customer_report_links.token_digest',
  // stops a mail, and nothing else
  'switchroom_report_recipients.unsubscribe_token',
  'switchroom_event_calls.call_key',
  'switchroom_event_states.state_key',
  'switchroom_failure_calls.call_key',
  'switchroom_failures.failure_key',
  'switchroom_passkeys.credential_hash',
  'switchroom_passkeys.public_key',
  // numbers
  'switchroom_call_scores.tokens',
  'switchroom_score_cards.used_tokens',
  'switchroom_simulated_runs.tokens',
]

/** Columns that full callers read in clear text on a single read: proof that the canaries are seen. */
const SHOWN = [
  'accounts.webhook_secret',
  'applications.env_vars',
  'applications.app_json',
  'google_custom_voices.voice_cloning_key',
  'switchroom_alert_destinations.address',
  'voip_carriers.register_password',
  'voip_carriers.inbound_auth_password',
  'voip_carriers.smpp_password',
  'voip_carriers.smpp_inbound_password',
  'webhooks.password',
  'webhooks.url',
]

const canaryOf = (column: string) =>
  `can${Object.keys(SECRETS).indexOf(column) + 10}ary-${'x'.repeat(6)}`

beforeAll(async () => {
  t = await testApp(MCP)
  w = await createWorld(t)
  const { account_sid, service_provider_sid } = {
    account_sid: w.account,
    service_provider_sid: w.sp,
  }
  const hook = { url: 'https://example.com/hook' }
  await t.as('admin')(api.accounts.update, {
    params: { account_sid },
    body: { registration_hook: hook, queue_event_hook: hook },
  })
  await t.as('admin')(api.serviceProviders.update, {
    params: { service_provider_sid },
    body: { registration_hook: hook },
  })
  for (const [column, planted] of Object.entries(SECRETS)) {
    const [table, name] = column.split('.') as [string, string]
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${planted(canaryOf(column))}`.execute(
      t.db,
    )
  }
  await t.db.updateTable('switchroom_alert_destinations').set({ kind: 'webhook' }).execute()
  await t.db.updateTable('webhooks').set({ username: 'u' }).execute()
  await t.db.updateTable('voip_carriers').set({ register_username: 'u' }).execute()
})
afterAll(() => t.close())

it('plants a canary in every column that holds a secret', async () => {
  const tables = await t.db.introspection.getTables()
  const smelling = tables.flatMap((table) =>
    table.columns
      .map((column) => `${table.name}.${column.name}`)
      .filter((name) =>
        /password(?!_settings)|secret|token|credential$|(?<!use_voice_cloning_)key$|hash|code$|env_vars|app_json/.test(
          name.split('.')[1]!,
        ),
      ),
  )
  const known = [...Object.keys(SECRETS), ...HARMLESS]
  expect(smelling.filter((name) => !known.includes(name))).toEqual([])
})

const reads = endpoints.filter(({ e }) => e.method === 'GET' && e.access !== 'public' && !e.hosted)

/** Everything that callers can read in turn, lists by page and whole. */
async function everythingFor(...callers: string[]) {
  const answers: { title: string; body: string }[] = []
  for (const [index, { title, e, line }] of reads.entries())
    for (const who of sample(callers, 1, index)) {
      answers.push({ title, body: (await ask(t, who, e, line, w)).body })
      if (!e.list) continue
      const paged = { ...line, query: (x: World) => ({ ...line.query?.(x), page: '1' }) }
      answers.push({ title, body: (await ask(t, who, e, paged, w)).body })
    }
  // the account's own signing secret, whose GET can also make another one
  const path = `/Accounts/${w.account}/WebhookSecret`
  for (const who of callers)
    answers.push({ title: path, body: (await t.request(who, 'GET', path)).body })
  return answers
}

it.each(['admin', 'sp1', 'a1'] as const)(
  'shows view-only users and read-only keys of %s no secret',
  async (owner) => {
    const key = await t.keyOf(owner, { view_only: 1 })
    for (const { title, body } of await everythingFor(`${owner}-viewer`, key))
      for (const column of Object.keys(SECRETS))
        expect(body.includes(canaryOf(column)), `${column} in ${title}: ${body}`).toBe(false)
  },
)

it('shows agents no secret, whoever they work for', async () => {
  const lines = new Map(endpoints.map(({ title, line }) => [title, line]))
  const removals = changes.filter(({ does }) => does === 'remove')
  let read = 0
  for (const [name, named] of [
    ['read', readable],
    ['plan_change', removals],
  ] as const)
    for (const [index, { id }] of named.entries()) {
      const line = lines.get(id)!
      const args = { what: id, params: line.params?.(w) ?? {} }
      const query = name === 'read' && line.query && { query: line.query(w) }
      const [who] = sample(['admin', 'sp1', 'a1'], 1, index)
      const { text, isError } = await tool(t, who!, name, { ...args, ...query })
      if (!isError) read++
      for (const column of Object.keys(SECRETS))
        expect(text.includes(canaryOf(column)), `${column} in ${id}: ${text}`).toBe(false)
    }
  expect(read).toBeGreaterThan(60)
})

it('shows no password in a list or file, to whomever', async () => {
  const open = ['webhooks.url', 'applications.app_json', 'switchroom_alert_destinations.address']
  const lists = reads.filter(({ e }) => e.list || e.file)
  for (const { title, e, line } of lists)
    for (const who of ['admin', 'sp1', 'a1']) {
      const { body } = await ask(t, who, e, line, w)
      for (const column of Object.keys(SECRETS).filter((name) => !open.includes(name)))
        expect(body.includes(canaryOf(column)), `${column} in ${title} for ${who}`).toBe(false)
    }
})

it('does not show an account the webhook password of its provider', async () => {
  for (const path of [`/ServiceProviders/${w.sp}`, '/Users/me']) {
    const { registration_hook: hook } =
      (await t.request('a1', 'GET', path)).json().sp ?? (await t.request('a1', 'GET', path)).json()
    expect(hook.password).toBe(MASK)
  }
})

it('shows a full caller what platform clients read back', async () => {
  const read = (await everythingFor('admin')).map(({ body }) => body).join('\n')
  for (const column of SHOWN) expect(read.includes(canaryOf(column)), column).toBe(true)
})

it('shows view-only callers that there is a secret, and the rest of it', async () => {
  const viewer = t.as('a1-viewer')
  const carrier = await viewer(api.voipCarriers.view, { params: { voip_carrier_sid: w.carrier } })
  expect(carrier).toMatchObject({ register_password: MASK, smpp_password: MASK })
  const application = await viewer(api.applications.view, {
    params: { application_sid: w.application },
  })
  expect(application.env_vars).toEqual({ API_KEY: MASK, harmless: MASK })
  expect(application.call_hook).toMatchObject({ password: MASK })
  expect(application.call_hook!.url).toBe('https://***:***@example.com/hook?token=***&page=1')
  expect(application.app_json).toContain('dial')
  const destination = await viewer(api.alertDestinations.view, {
    params: { alert_destination_sid: w.destination },
  })
  expect(destination.address).toBe(`https://hooks.example.com/${MASK}`)
})

it('keeps stored secrets when somebody who may write sends back what a view-only user read', async () => {
  const secrets = async () => {
    const rows: unknown[] = []
    for (const column of Object.keys(SECRETS)) {
      const [table, name] = column.split('.') as [string, string]
      const found = await sql<{ value: string | null }>`
        select ${sql.ref(name)} as value from ${sql.table(table)}`.execute(t.db)
      rows.push([column, found.rows.map((row) => opened(row.value)).sort()])
    }
    return rows
  }
  const opened = (value: string | null) =>
    (value?.startsWith('{"iv"') ? t.ctx.box.open(value) : value) ?? ''
  const before = await secrets()
  for (const path of [
    `/Accounts/${w.account}`,
    `/ServiceProviders/${w.sp}`,
    `/Applications/${w.application}`,
    `/VoipCarriers/${w.carrier}`,
    `/Clients/${w.client}`,
    `/AlertDestinations/${w.destination}`,
    `/GoogleCustomVoices/${w.voice}`,
    `/Accounts/${w.account}/SpeechCredentials/${w.credential}`,
  ]) {
    const { version: _, ...read } = (await t.request('sp1-viewer', 'GET', path)).json()
    expect(isRecord(read)).toBe(true)
    const put = await t.request('sp1', 'PUT', path, read)
    expect(put.statusCode, `${path} ${put.body}`).toBe(204)
  }
  expect(await secrets()).toEqual(before)
})

it('masks nothing that is no secret', async () => {
  const path = `/PhoneNumbers/${w.number}`
  const [full, viewed] = await Promise.all(
    ['a1', 'a1-viewer'].map(async (who) => (await t.request(who, 'GET', path)).json()),
  )
  expect(viewed).toEqual(full)
  expect((await t.request('a1-viewer', 'GET', `/PhoneNumbers/${randomUUID()}`)).statusCode).toBe(
    404,
  )
})
