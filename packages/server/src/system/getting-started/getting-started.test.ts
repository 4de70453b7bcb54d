import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALREADY_CONNECTED, api, SERVICE_PROVIDER_NEEDED, type Step } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { emptyMysql, mysqlAt } from '../../../test/database.ts'
import { hep, sipText } from '../../../test/hep.ts'
import { openDb } from '../../db/open.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { DEFAULT_PROVIDER_NAME } from '../../db/seed.ts'
import { secretBox } from '../../secrets/secret-box.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { embeddedCaptures } from '../../stores/sip/files/store.ts'

const mysql = {
  kind: 'mysql',
  host: '127.0.0.1',
  port: 9,
  user: 'u',
  password: 'p',
  database: 'd',
  connectionLimit: 1,
} as const
let t: TestApp
let calls: TestStore
let folder: string
let captures: ReturnType<typeof embeddedCaptures>
let port: number

beforeEach(async () => {
  t = await testApp()
  calls = await testStore('embedded')
  folder = mkdtempSync(join(tmpdir(), 'switchroom-captures-'))
  const listen = { host: '127.0.0.1', port: 0 }
  captures = embeddedCaptures({ folder, days: 30, max_bytes: 1e9, listen, key: undefined })
  port = (await captures.open())!
  t.ctx.stores = { ...t.ctx.stores, ...calls, captures }
  Object.assign(t.ctx.config.captures, { listen: { host: '127.0.0.1', port } })
})
afterEach(async () => {
  await Promise.all([t.close(), calls.close(), captures.close()])
  rmSync(folder, { recursive: true, force: true })
})

const view = (who: string, service_provider_sid = who === 'admin' ? t.sids.sp1 : undefined) =>
  t.as(who)(api.gettingStarted.view, { query: { service_provider_sid } })
const open = async (who = 'sp1') =>
  Object.fromEntries((await view(who)).steps.map(({ step, open }) => [step, open])) as Record<
    Step,
    string | null
  >
const call = async (who: string, since: string, service_provider_sid = t.sids.sp1) =>
  (await t.as(who)(api.gettingStarted.call, { query: { service_provider_sid, since } })).call

/** A call record of an account, some seconds old. */
const record = (account_sid: string, provider: string, sip_callid: string, answered = true) =>
  send(
    calls,
    callLine({
      ms: Date.now() - 5_000,
      ns: 0,
      tags: {
        account_sid,
        service_provider_sid: provider,
        direction: 'inbound',
        answered: `${answered}`,
      },
      fields: {
        call_sid: randomUUID(),
        sip_callid,
        from: '15083084809',
        to: '15083084810',
        sip_status: answered ? 200 : 480,
        attempted_at: Date.now() - 5_000,
        terminated_at: Date.now() - 1_000,
      },
    }),
  )

/** What a capture agent saw. Resolves once it can be found. */
async function capture(call_id: string, to: string, ...lines: string[]) {
  const before = (await captures.ingested())?.messages.sip ?? 0
  const socket = createSocket('udp4')
  const texts = [`INVITE sip:${to}@192.0.2.2 SIP/2.0`, ...lines]
  for (const line of texts)
    await new Promise((done) =>
      socket.send(hep({ text: sipText(line, { call_id }) }), port, '127.0.0.1', done),
    )
  socket.close()
  await expect
    .poll(async () => (await captures.ingested())!.messages.sip)
    .toBe(before + texts.length)
}

async function newNumber(number: string, application_sid: string | null, account_sid: string) {
  await t.db
    .insertInto('phone_numbers')
    .values({ phone_number_sid: randomUUID(), number, account_sid, application_sid })
    .execute()
}
const newApplication = (account_sid: string) =>
  t
    .as('admin')(api.applications.create, {
      body: {
        name: 'Hello',
        account_sid,
        call_hook: { url: 'https://example.com/call', method: 'POST' },
        call_status_hook: { url: 'https://example.com/status', method: 'POST' },
      },
    })
    .then(({ sid }) => sid)

describe('the steps of a provider', () => {
  it('are ticked by what there is', async () => {
    expect(await open()).toEqual({
      provider: null,
      carrier: 'no_carrier',
      application: 'no_application',
      number: 'no_number',
      sbc: 'no_sbc',
      calls: 'off',
      traces: 'off',
      sip: 'no_call',
      recordings: 'not_recording',
      call: 'no_call',
    })
    const rename = (from: string, name: string) =>
      t.db.updateTable('service_providers').set({ name }).where('name', '=', from).execute()
    const { name } = await t.as('sp1')(api.serviceProviders.view, {
      params: { service_provider_sid: t.sids.sp1 },
    })
    await rename(DEFAULT_PROVIDER_NAME, 'another')
    await rename(name, DEFAULT_PROVIDER_NAME)
    expect((await open()).provider).toBe('unnamed')

    const voip_carrier_sid = randomUUID()
    await t.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid, name: 'Trunk', service_provider_sid: t.sids.sp1 })
      .execute()
    expect((await open()).carrier).toBe('no_gateway')
    await t.db
      .insertInto('sip_gateways')
      .values({
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid,
        ipv4: '192.0.2.1',
        inbound: 1,
        outbound: 0,
      })
      .execute()
    expect((await open()).carrier).toBeNull()

    await newNumber('15083084810', null, t.sids.a1)
    expect((await open()).number).toBe('unrouted')
    const application_sid = await newApplication(t.sids.a1)
    expect((await open()).application).toBeNull()
    await newNumber('15083084811', application_sid, t.sids.a1)
    expect((await open()).number).toBeNull()
    // the one to call is the one that is routed
    expect((await view('sp1')).number?.number).toBe('15083084811')

    await t.as('admin')(api.signallingAddresses.addSbc, { body: { ipv4: '198.51.100.7' } })
    expect(await view('sp1')).toMatchObject({
      sbcs: [{ ipv4: '198.51.100.7', port: 5060 }],
      carrier: { name: 'Trunk' },
    })
    expect((await open()).sbc).toBeNull()

    await record(t.sids.a1, t.sids.sp1, 'first@pbx', false)
    expect(await open()).toMatchObject({ calls: null, sip: 'missing', call: 'unanswered' })
    expect((await view('sp1')).latest_call).toMatchObject({ sip_status: 480 })
    await capture('first@pbx', '15083084811')
    await record(t.sids.a1, t.sids.sp1, 'second@pbx')
    expect(await open()).toMatchObject({ sip: null, call: null })

    await t.db
      .updateTable('accounts')
      .set({ record_all_calls: 1 })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    expect((await open()).recordings).toBe('missing')
  })

  it('are one’s own: nothing of another provider ticks them', async () => {
    const before = await open('sp2')
    await newNumber('15083084811', await newApplication(t.sids.a1), t.sids.a1)
    await record(t.sids.a1, t.sids.sp1, 'first@pbx')
    expect(await open('sp2')).toEqual(before)
    expect((await open('sp1')).call).toBeNull()
  })

  it('say that a store cannot be read', async () => {
    const down = async () => {
      throw new StoreUnavailable('down')
    }
    t.ctx.stores = { ...t.ctx.stores, captures: { ...captures, find: down } }
    await record(t.sids.a1, t.sids.sp1, 'first@pbx')
    expect(await open()).toMatchObject({ calls: null, sip: 'unavailable' })
    t.ctx.stores = { ...t.ctx.stores, calls: { ...calls.calls, list: down } }
    expect(await open()).toMatchObject({ calls: 'unavailable', call: 'unavailable' })
  })

  it('tell only administrators where components send to', async () => {
    expect((await view('admin')).doors).toEqual({
      calls: { kind: 'off' },
      traces: { kind: 'off' },
      sip: { kind: 'here', host: '127.0.0.1', port },
      database: { kind: t.ctx.config.database ? 'elsewhere' : 'off' },
    })
    expect((await view('sp1')).doors).toBeNull()
    expect((await view('a1')).doors).toBeNull()
  })

  it('need a provider that the caller may see', async () => {
    await expect(t.as('admin')(api.gettingStarted.view, { query: {} })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['service_provider_sid'], message: SERVICE_PROVIDER_NEEDED }] },
    })
    await expect(view('sp2', t.sids.sp1)).rejects.toMatchObject({ status: 404 })
    await expect(call('sp2', new Date().toISOString())).rejects.toMatchObject({ status: 404 })
  })
})

describe('the connection to a platform', () => {
  const given = {
    mysql_host: '127.0.0.1',
    mysql_port: 9,
    mysql_user: 'jambones',
    mysql_password: 'canary-of-the-database',
    mysql_database: 'jambones',
    redis_host: '127.0.0.1',
    redis_port: 9,
    redis_password: 'canary-of-redis',
    jwt_secret: 'canary-of-the-platform-and-its-sessions',
    encryption_secret: 'canary-of-the-platform',
  }
  const connect = (who: string, body: typeof given) =>
    t.as(who)(api.gettingStarted.connect, { body })
  const outcomes = async (body: typeof given) => {
    const report = await connect('admin', body)
    expect(JSON.stringify(report)).not.toContain('canary')
    return Object.fromEntries(report.results.map(({ check, outcome }) => [check, outcome]))
  }

  it('is a step of the administrators, done on the platform’s database', async () => {
    const step = async (who: string) =>
      (await view(who)).steps.find(({ step }) => step === 'platform')
    t.ctx.config.database = undefined
    expect(await step('admin')).toEqual({ step: 'platform', open: 'alone' })
    t.ctx.config.database = mysql
    expect(await step('admin')).toEqual({ step: 'platform', open: null })
    expect(await step('sp1')).toBeUndefined()
  })

  it('says what does not answer, and tells no secret', async () => {
    t.ctx.config.database = undefined
    expect(await outcomes(given)).toMatchObject({ database: 'problem', redis: 'problem' })
  })

  it('is not tried with the secrets that this server has itself', async () => {
    t.ctx.config.database = undefined
    const own = {
      JAMBONES_REDIS_PASSWORD: 'its-own-of-redis',
      JAMBONES_REDIS_USERNAME: 'its-own-name',
      JAMBONES_MYSQL_PASSWORD: 'its-own-of-mysql',
    }
    for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value)
    let got = ''
    const redis = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => {
        got += bytes.toString()
        socket.destroy()
      })
    })
    await new Promise<void>((listening) => redis.listen(0, '127.0.0.1', listening))
    const { redis_password: _, ...rest } = given
    const { port: redis_port } = redis.address() as AddressInfo
    try {
      expect(await outcomes({ ...rest, redis_port } as typeof given)).toMatchObject({
        redis: 'problem',
      })
    } finally {
      vi.unstubAllEnvs()
      redis.close()
    }
    expect(got).not.toBe('')
    expect(got).not.toContain('its-own')
  })

  it('is tried by administrators alone, and by nobody once there is one', async () => {
    await expect(connect('sp1', given)).rejects.toMatchObject({ status: 403 })
    await expect(connect('admin-viewer', given)).rejects.toMatchObject({ status: 403 })
    t.ctx.config.database = mysql
    await expect(connect('admin', given)).rejects.toMatchObject({
      status: 422,
      body: { msg: ALREADY_CONNECTED },
    })
  })

  it.runIf(process.env.TEST_MYSQL_URL && process.env.TEST_REDIS_URL)(
    'is tried with the platform’s own database, Redis and secret',
    async () => {
      t.ctx.config.database = undefined
      const { host, port, user, password, database } = mysqlAt('connect_test')
      await emptyMysql(mysqlAt('connect_test'))
      const db = openDb(mysqlAt('connect_test'))
      await prepareDatabase(db)
      const box = secretBox({ secret: 'the secret of the platform', legacy: false })
      const account = await db
        .selectFrom('accounts')
        .select('account_sid')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('clients')
        .values({
          ...{ client_sid: randomUUID(), account_sid: account.account_sid, username: 'desk' },
          password: box.seal('a password'),
        })
        .execute()
      await db.destroy()
      const redis = new URL(process.env.TEST_REDIS_URL!)
      const right = {
        ...{ mysql_host: host, mysql_port: port, mysql_user: user, mysql_password: password },
        mysql_database: database,
        ...{ redis_host: redis.hostname, redis_port: Number(redis.port) },
        encryption_secret: 'the secret of the platform',
      }
      const { redis_password: _, ...rest } = { ...given, ...right }
      const result = async (body: object) => outcomes(body as typeof given)
      expect(await result(rest)).toMatchObject({
        ...{ database: 'ok', database_rights: 'ok', database_shape: 'ok', stored_secrets: 'ok' },
        redis: 'ok',
      })
      expect(await result({ ...rest, encryption_secret: 'another secret entirely' })).toMatchObject(
        {
          stored_secrets: 'problem',
        },
      )
      // a start would refuse it
      expect(await result({ ...rest, encryption_secret: 'short' })).toMatchObject({
        variables: 'problem',
        stored_secrets: 'not_checked',
      })
      expect(await result({ ...rest, mysql_database: 'no_such_test' })).toMatchObject({
        database: 'problem',
      })
      // a database of something else
      const other = await result({ ...rest, mysql_database: 'mysql' })
      expect(other).toMatchObject({ database_shape: 'problem' })
      expect(other).not.toHaveProperty('sbcs')
    },
  )

  it('names the field that is wrong', async () => {
    for (const [name, value] of Object.entries({ mysql_host: ' ', mysql_port: 70_000 }))
      await expect(connect('admin', { ...given, [name]: value })).rejects.toMatchObject({
        status: 400,
        body: { issues: [{ path: [name] }] },
      })
  })
})

describe('the steps of an account', () => {
  it('are its own business', async () => {
    expect(await open('a1')).toEqual({
      application: 'no_application',
      number: 'no_number',
      call: 'no_call',
    })
  })

  it('lead to SIP clients in the hosted variant', async () => {
    t.ctx.config.page.ENABLE_HOSTED_SYSTEM = true
    const account = (change: object) =>
      t.db.updateTable('accounts').set(change).where('account_sid', '=', t.sids.a1).execute()
    await account({ sip_realm: null })
    const application_sid = await newApplication(t.sids.a1)
    expect(await open('a1')).toEqual({
      realm: 'no_realm',
      client: 'no_client',
      application: 'not_for_clients',
      call: 'no_call',
    })
    await account({ sip_realm: 'a1.example.com', device_calling_application_sid: application_sid })
    await t.db
      .insertInto('clients')
      .values({ client_sid: randomUUID(), account_sid: t.sids.a1, username: 'desk', password: 'x' })
      .execute()
    await record(t.sids.a1, t.sids.sp1, 'first@pbx')
    expect(new Set(Object.values(await open('a1')))).toEqual(new Set([null]))
  })
})

describe('the first call', () => {
  const before = () => new Date(Date.now() - 1_000).toISOString()

  it('is announced by its SIP, to administrators only', async () => {
    const since = before()
    await newNumber('15083084811', await newApplication(t.sids.a1), t.sids.a1)
    await capture('elsewhere@pbx', '15083084999')
    expect(await call('admin', since)).toBeNull()
    await capture('first@pbx', '+15083084811', 'SIP/2.0 180 Ringing')
    expect(await call('admin', since)).toMatchObject({
      to: '+15083084811',
      is_answered: false,
      has_ended: false,
      call_sid: null,
      ladder: { messages: [{ label: 'INVITE' }, { label: '180 Ringing' }] },
    })
    await capture('first@pbx', '+15083084811', 'SIP/2.0 200 OK')
    expect(await call('admin', since)).toMatchObject({ is_answered: true, has_ended: false })
    // to another provider's number, and before the time
    expect(await call('admin', since, t.sids.sp2)).toBeNull()
    expect(await call('admin', new Date(Date.now() + 1_000).toISOString())).toBeNull()
    for (const who of ['sp1', 'a1']) expect(await call(who, since)).toBeNull()
  })

  it('is known to its owner once it has ended', async () => {
    const since = before()
    await capture('first@pbx', '15083084811', 'SIP/2.0 200 OK')
    await record(t.sids.a1, t.sids.sp1, 'first@pbx')
    for (const who of ['admin', 'sp1', 'a1'])
      expect(await call(who, since)).toMatchObject({
        to: '15083084810',
        is_answered: true,
        has_ended: true,
        account_sid: t.sids.a1,
        ladder: { messages: [{}, {}] },
      })
    expect(await call('a2', since)).toBeNull()
    expect(await call('sp2', since, t.sids.sp2)).toBeNull()
  })

  it('is known to its owner while it lasts, where the platform has Redis', async () => {
    const since = before()
    const { a1, sp2 } = t.sids
    const record = { callStatus: 'in-progress', callId: 'live@pbx', from: '1', to: '2' }
    const items = [{ account_sid: a1, call_sid: randomUUID(), since: Date.now(), record }]
    t.ctx.state = { ...t.ctx.state, activeCalls: async () => ({ items, complete: true }) }
    await capture('live@pbx', '2')
    for (const who of ['sp1', 'a1'])
      expect(await call(who, since)).toMatchObject({
        is_answered: true,
        has_ended: false,
        ladder: { messages: [{ label: 'INVITE' }] },
      })
    expect(await call('a2', since)).toBeNull()
    expect(await call('sp2', since, sp2)).toBeNull()
  })
})
