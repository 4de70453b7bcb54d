import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt } from '../../test/database.ts'
import type { Table } from './column.ts'
import { mysqlForeignKeys, mysqlTables } from './ddl.ts'
import { type DatabaseConfig, type Db, isBadValue, openDb } from './open.ts'
import { platform } from './platform.ts'
import { prepareDatabase, WrongDatabase } from './prepare.ts'
import { seed } from './seed.ts'

let folder: string
let config: DatabaseConfig
let db: Db

async function openDatabase(kind: DatabaseConfig['kind']) {
  folder = await mkdtemp(join(tmpdir(), 'switchroom-'))
  config =
    kind === 'sqlite' ? { kind, file: join(folder, 'switchroom.db') } : mysqlAt('prepare_test')
  if (config.kind === 'mysql') await emptyMysql(mysqlAt('prepare_test'))
  db = openDb(config)
}
async function end() {
  await db.destroy()
  await rm(folder, { recursive: true })
}
const reopen = async () => {
  await db.destroy()
  db = openDb(config)
}
const run = async (statements: string[], on = db) => {
  for (const statement of statements) await sql.raw(statement).execute(on)
}
const tableNames = async () => (await db.introspection.getTables()).map((t) => t.name).sort()
const refused = () =>
  prepareDatabase(db).then(
    () => expect.fail('it was accepted'),
    (e) => {
      expect(e).toBeInstanceOf(WrongDatabase)
      return (e as WrongDatabase).message
    },
  )

/** Imitates a killed process: after this many statements nothing more is sent. */
function failingAfter(statements: number): KyselyPlugin {
  let sent = 0
  return {
    transformQuery({ node }) {
      if (sent++ >= statements) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

const names = Object.keys(platform)
const OWN = [
  'switchroom_alert_deliveries',
  'switchroom_alert_destinations',
  'switchroom_alert_marks',
  'switchroom_alert_matters',
  'switchroom_alert_watch',
  'switchroom_api_keys',
  'switchroom_audit',
  'switchroom_audit_head',
  'switchroom_audit_pending',
  'switchroom_billing_accounts',
  'switchroom_billing_events',
  'switchroom_billing_intents',
  'switchroom_brand_hosts',
  'switchroom_brands',
  'switchroom_break_glass',
  'switchroom_call_counts',
  'switchroom_call_days',
  'switchroom_call_scores',
  'switchroom_call_slices',
  'switchroom_call_watch',
  'switchroom_creations',
  'switchroom_customer_report_links',
  'switchroom_directories',
  'switchroom_event_calls',
  'switchroom_event_deliveries',
  'switchroom_event_notes',
  'switchroom_event_readers',
  'switchroom_event_states',
  'switchroom_event_subscriptions',
  'switchroom_event_watch',
  'switchroom_events',
  'switchroom_failure_calls',
  'switchroom_failure_watch',
  'switchroom_failures',
  'switchroom_gateway_probes',
  'switchroom_identities',
  'switchroom_language_models',
  'switchroom_live',
  'switchroom_lock_turns',
  'switchroom_migrations',
  'switchroom_migrations_lock',
  'switchroom_model_calls',
  'switchroom_model_events',
  'switchroom_model_hours',
  'switchroom_model_refusals',
  'switchroom_model_sessions',
  'switchroom_model_use',
  'switchroom_passkeys',
  'switchroom_phone_numbers',
  'switchroom_preferences',
  'switchroom_program_grants',
  'switchroom_program_tokens',
  'switchroom_programs',
  'switchroom_provider_sessions',
  'switchroom_recovery_codes',
  'switchroom_replica_beats',
  'switchroom_report_mails',
  'switchroom_report_recipients',
  'switchroom_run_steps',
  'switchroom_runs',
  'switchroom_saved_views',
  'switchroom_score_cards',
  'switchroom_score_items',
  'switchroom_score_watch',
  'switchroom_second_factor_policies',
  'switchroom_session_ends',
  'switchroom_sessions',
  'switchroom_simulated_callers',
  'switchroom_simulated_runs',
  'switchroom_single_sign_on',
  'switchroom_speech_catalogues',
  'switchroom_speech_tests',
  'switchroom_suites',
  'switchroom_test_cases',
  'switchroom_totp',
  'switchroom_transcribing',
  'switchroom_transcript_settings',
  'switchroom_transcription_parts',
  'switchroom_transcriptions',
  'switchroom_trunk_report_links',
  'switchroom_view_alerts',
  'switchroom_webhook_requests',
  'switchroom_words_kept_before',
]
const COMPLETE = [...names, ...OWN, 'switchroom_state'].sort()

describe.each(kinds)('on %s', (kind) => {
  beforeEach(() => openDatabase(kind))
  afterEach(end)

  it('an empty database is initialised', async () => {
    const { state, has } = await prepareDatabase(db)
    expect(state).toBe('created')
    expect(await tableNames()).toEqual(COMPLETE)
    expect(has('smpp_gateways')).toBe(true)
    expect(has('applications', 'messaging_hook_sid')).toBe(true)
    expect(has('predefined_sip_gateways', 'protocol')).toBe(true)
    expect(has('krisp_usage')).toBe(false)
    expect(has('krisp_usage', 'sid')).toBe(false)
    expect(has('accounts', 'observability_level')).toBe(false)

    await sql`delete from schema_version`.execute(db)
    await reopen()
    const again = await prepareDatabase(db)
    expect(again.state).toBe('ours')
    expect(again.has('smpp_gateways')).toBe(true)
    expect(await db.selectFrom('accounts').select('name').execute()).toHaveLength(1)
    expect(await db.selectFrom('schema_version').selectAll().execute()).toEqual([])
  })

  it.each([1, 6, 50, 64, 75])('resumes where it was killed after %i statements', async (n) => {
    await expect(prepareDatabase(db.withPlugin(failingAfter(n)))).rejects.toThrow('killed')
    await reopen()
    expect((await prepareDatabase(db)).state).toBe('created')
    expect(await tableNames()).toEqual(COMPLETE)
    expect(await db.selectFrom('predefined_sip_gateways').selectAll().execute()).toHaveLength(26)
    const violated = db.deleteFrom('service_providers').execute()
    await expect(violated).rejects.toThrow(/foreign key/i)
    if (kind === 'mysql') expect(await foreignKeys()).toBe(FOREIGN_KEYS)
    expect((await prepareDatabase(db)).state).toBe('ours')
  })

  it('adds the columns that a killed migration did not come to', async () => {
    await prepareDatabase(db)
    const columns = async () => {
      const tables = await db.introspection.getTables()
      const table = tables.find(({ name }) => name === 'switchroom_view_alerts')
      return table!.columns.map(({ name }) => name)
    }
    const all = await columns()
    for (const column of ['judged_at', 'next_measured_at'])
      await sql`alter table switchroom_view_alerts drop column ${sql.ref(column)}`.execute(db)
    await sql`delete from switchroom_migrations where name >= '025-'`.execute(db)
    expect(await columns()).toHaveLength(all.length - 2)
    await prepareDatabase(db)
    expect(await columns()).toEqual(all)
  })

  it('repeats a migration that was killed before it was recorded', async () => {
    await prepareDatabase(db)
    await sql`delete from switchroom_migrations`.execute(db)
    expect((await prepareDatabase(db)).state).toBe('ours')
  })

  it('two processes may start at once', async () => {
    const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
    const program = `
      import { openDb } from ${url('./open.ts')}
      import { prepareDatabase } from ${url('./prepare.ts')}
      const db = openDb(${JSON.stringify(config)})
      console.log((await prepareDatabase(db)).state)
      await db.destroy()`
    const start = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    const states = await Promise.all([start(), start()])
    expect(states.map((s) => s.stdout.trim()).sort()).toEqual(['created', 'ours'])
    expect(await db.selectFrom('accounts').select('name').execute()).toHaveLength(1)
  })

  it('a database of a newer version is rejected and left unchanged', async () => {
    await prepareDatabase(db)
    const migrations = () => sql`select name from switchroom_migrations order by name`.execute(db)
    await run([
      `insert into switchroom_migrations values ('999-later', '')`,
      `delete from switchroom_migrations where name < '002'`,
      'drop table switchroom_totp',
    ])
    const before = await migrations()
    expect(await refused()).toMatch(
      / was used by a newer version of Switchroom \(it has the migration 999-later\)\. Start that version, or restore a backup from before it\.$/,
    )
    expect(await migrations()).toEqual(before)
    expect(await tableNames()).not.toContain('switchroom_totp')
  })

  it('a foreign database is rejected and left unchanged', async () => {
    await run(['create table wp_posts (id int)', 'create table wp_users (id int)'])
    expect(await refused()).toMatch(
      /is not a complete platform database\. It lacks table accounts, .*, table \w+ and 30 more\. Upgrade it .*\.$/,
    )
    expect(await tableNames()).toEqual(['wp_posts', 'wp_users'])
  })

  it('an incomplete platform database is rejected and the missing tables are named', async () => {
    await prepareDatabase(db)
    for (const own of [...OWN, 'switchroom_state'])
      await sql`drop table ${sql.table(own)}`.execute(db)
    await run(['drop table dns_records', 'alter table lcr_routes drop column description'])
    const before = await tableNames()
    expect(await refused()).toContain(
      'lacks table dns_records, column lcr_routes.description. Upgrade it',
    )
    expect(await tableNames()).toEqual(before)
  })
})

const FOREIGN_KEYS = Object.values<Table>(platform).flatMap((t) =>
  Object.keys(t.keys.foreign ?? {}),
).length

async function foreignKeys() {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from information_schema.referential_constraints
    where constraint_schema = database()`.execute(db)
  return rows[0]!.n
}

type Statement = (sql: string) => string

/** Schemas of existing platforms, as changes to a new database of ours. */
const fresh: Statement = (s) =>
  s
    .replace(' default charset=utf8mb4', '')
    .replace(
      /(create table if not exists `predefined_sip_gateways`[\s\S]*?`predefined_carrier_sid`[^\n]*\n)[\s\S]*?(\s+primary key)/,
      '$1$2',
    )
const upgraded: Statement = (s) =>
  s
    .replace(' default charset=utf8mb4', '')
    .replace(/,'voice_call_minutes'.*?'voice_call_minutes_license'/, '')
    .replace('`speech_synthesis_voice` varchar(256)', '`speech_synthesis_voice` varchar(255)')
    .replace('`register_from_domain` varchar(255)', '`register_from_domain` varchar(256)')
    .replace(/constraint `(\w+)`/g, 'constraint `$1_ibfk`')
const commercial: Statement = (s) =>
  /^(create table if not exists|alter table) `(predefined_)?smpp_/.test(s)
    ? 'do 0'
    : s
        .replace(/\n {2}(key|add constraint)? ?`messaging_hook_sid[^\n]*/g, '')
        .replace('`sbc_addresses_idx_host_port`', '`sbc_addresses_host_port`')

const more = [
  'create table krisp_usage (krisp_usage_sid char(36) primary key)',
  'alter table applications add column llm_vendor varchar(64)',
  'alter table system_information add column license_key varchar(255)',
  'create unique index sbc_addresses_ipv4_port on sbc_addresses (ipv4, port)',
]

describe.skipIf(!kinds.includes('mysql'))('an existing platform', () => {
  beforeEach(() => openDatabase('mysql'))
  afterEach(end)

  async function live(shape: Statement, also: string[] = []) {
    await run([...mysqlTables(), ...mysqlForeignKeys(new Set())].map(shape).concat(also))
    if (shape === commercial) await sql`insert into schema_version values ('v10.1.0')`.execute(db)
    else await seed(db)
    await sql`insert into webhooks (webhook_sid, url) values ('w', 'https://example.com')`.execute(
      db,
    )
    await sql`delete from password_settings`.execute(db)
  }

  /** Everything there is to see of the platform's tables. */
  async function picture() {
    const seen: Record<string, unknown> = {}
    for (const name of (await tableNames()).filter((n) => !n.startsWith('switchroom_'))) {
      const table = sql.table(name)
      seen[name] = [
        (await sql`show create table ${table}`.execute(db)).rows,
        (await sql`checksum table ${table}`.execute(db)).rows,
        (await sql`select * from ${table} order by 1`.execute(db)).rows,
      ]
    }
    return seen
  }

  it.each([
    ['fresh', fresh, [], 38, { smpp: true, messaging: true, extra: false }],
    ['upgraded', upgraded, [], 38, { smpp: true, messaging: true, extra: true }],
    ['commercial', commercial, more, 36, { smpp: false, messaging: false, extra: true }],
  ])('with the %s schema is adopted unchanged', async (_, shape, also, tables, expected) => {
    await live(shape, also)
    const before = await picture()
    expect(Object.keys(before)).toHaveLength(tables)
    for (const at of ['first', 'second']) {
      const { state, has } = await prepareDatabase(db)
      expect([at, state]).toEqual([at, 'adopted'])
      expect({
        smpp: has('smpp_gateways'),
        messaging: has('applications', 'messaging_hook_sid'),
        extra: has('predefined_sip_gateways', 'protocol'),
      }).toEqual(expected)
      expect(has('krisp_usage')).toBe(shape === commercial)
    }
    expect(await picture()).toEqual(before)
    expect((await tableNames()).filter((n) => n.startsWith('switchroom_'))).toEqual(OWN)
  })

  it('with an older schema and character set rejects values it cannot store', async () => {
    await run([`alter database \`${mysqlAt('prepare_test').database}\` charset latin1`])
    await live(upgraded)
    await prepareDatabase(db)
    const name = '😀'
    const write = db.updateTable('accounts').set({ name }).execute()
    expect(isBadValue(await write.catch((e) => e))).toEqual({ column: 'name' })
    const read = db.selectFrom('accounts').select('name').where('name', '=', name).execute()
    // some servers answer, others refuse to compare
    expect(await read.catch((e) => (isBadValue(e) ? [] : e))).toEqual([])
    const limit = db
      .insertInto('account_limits')
      .values({
        account_limits_sid: 'l',
        account_sid: '9351f46a-678c-43f5-b8a6-d4eb58d131af',
        category: 'voice_call_minutes',
        quantity: 1,
      })
      .execute()
    expect(isBadValue(await limit.catch((e) => e))).toEqual({ column: 'category' })
    const key = 'k'
    await db.insertInto('switchroom_live').values({ key, value: name }).execute()
    expect(await db.selectFrom('switchroom_live').select('value').execute()).toEqual([
      { value: name },
    ])
  })

  it('reports that we may not create our own tables', async () => {
    await live(upgraded)
    const { database } = mysqlAt('prepare_test')
    const user = database.slice(0, 32)
    await run([
      `drop user if exists '${user}'@'%', '${user}'@'localhost'`,
      `create user '${user}'@'%' identified by 'p', '${user}'@'localhost' identified by 'p'`,
      `grant select, insert, update, delete on \`${database}\`.* to '${user}'@'%'`,
      `grant select, insert, update, delete on \`${database}\`.* to '${user}'@'localhost'`,
    ])
    const root = db
    db = openDb({ ...mysqlAt('prepare_test'), user, password: 'p' })
    expect(await refused()).toMatch(
      /^The database user is not allowed to create tables, which Switchroom needs. Grant/,
    )
    await db.destroy()
    db = root
    await run([`drop user '${user}'@'%', '${user}'@'localhost'`])
  })
})
