import { createHmac, randomUUID } from 'node:crypto'
import { api, MASK, TEST_PAYLOAD_MAX } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  isSigned,
  PAGERDUTY,
  SECRET,
  SLACK,
  WEBHOOK,
} from '../../../test/stand-ins/alert-receivers.ts'
import {
  recorded,
  type StandIn,
  standIns,
  type VendorResponse,
} from '../../../test/stand-ins/speech-server.ts'
import { KEPT_ROWS, keepNewest, record } from '../../tenants/webhook-log/record.ts'
import { deleteOld } from '../../tenants/webhook-log/start.ts'

const PASSWORD = 'canary-basic-password'
const TOKEN = 'canary-query-token'
const KEY = 'canary-env-api-key'
const BASIC = Buffer.from(`jambonz:${PASSWORD}`).toString('base64')
const CANARIES = [PASSWORD, TOKEN, KEY, BASIC, SECRET, SECRET.slice(6), SLACK, PAGERDUTY]
const HOOK = { url: 'https://app.example/calls', method: 'POST' as const }
const SECRET_HOOK = {
  url: `https://app.example/calls?token=${TOKEN}#rc=1`,
  method: 'POST' as const,
  username: 'jambonz',
  password: PASSWORD,
}

let t: TestApp
let answer: VendorResponse
let application: StandIn & { requests: Parameters<NonNullable<StandIn['http']>>[0][] }
let servers: Awaited<ReturnType<typeof standIns>>
beforeEach(async () => {
  answer = { status: 200, body: [{ verb: 'say', text: 'Hello' }] }
  application = recorded({
    hosts: [
      'app.example',
      'receiver.example',
      'hooks.slack.com',
      'events.pagerduty.com',
      'events.eu.pagerduty.com',
    ],
    http: () => answer,
  })
  servers = await standIns(application)
  t = await testApp({}, servers.out)
})
afterEach(async () => {
  await t.close()
  await servers.close()
})

const add = async (hook: object = HOOK, more: object = {}, who = 'a1') =>
  (
    await t.as(who)(api.applications.create, {
      body: { name: 'ivr', call_hook: hook, call_status_hook: HOOK, ...more } as never,
    })
  ).sid
const test = (application_sid: string, payload: object = { call_status: 'trying' }, who = 'a1') =>
  t.as(who)(api.webhookRequests.test, {
    params: { application_sid },
    body: { hook: 'call_hook', payload: payload as Record<string, unknown> },
  })
const one = (webhook_request_sid: string) => ({ params: { webhook_request_sid } })
const view = (sid: string, who = 'a1') => t.as(who)(api.webhookRequests.view, one(sid))
const resend = (sid: string, who = 'a1') => t.as(who)(api.webhookRequests.resend, one(sid))
const list = async (who = 'a1', query: object = {}) => {
  await t.ctx.memory.webhookLog.latest
  return t.as(who)(api.webhookRequests.list, { query: { page: 1, ...query } })
}
const last = () => application.requests.at(-1)!
const refused = (status: number) => ({ status })

describe('a test request', () => {
  it('is signed as the platform signs, and logged with its response', async () => {
    const sid = await add()
    const sent = await test(sid, { call_sid: 'x', call_status: 'trying' })
    expect(sent).toMatchObject({
      kind: 'test',
      hook: 'call_hook',
      application_sid: sid,
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
      method: 'POST',
      url: HOOK.url,
      outcome: 'accepted',
      status: 200,
      attempt: 1,
      request_body: { text: '{"call_sid":"x","call_status":"trying"}', is_cut: false },
      signature: { check: 'valid' },
      verdict: { ok: true, message: 'The verb is valid.' },
    })
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(last().headers['jambonz-signature']),
    )!
    const signed = createHmac('sha256', 'wh_secret_a1').update(`${time}.${last().body}`)
    expect(mac).toBe(signed.digest('hex'))
    expect(await view(sent.webhook_request_sid)).toEqual(sent)
    expect((await list()).data).toMatchObject([
      { webhook_request_sid: sent.webhook_request_sid, account_name: 'a1' },
    ])
    await t.db.updateTable('accounts').set({ webhook_secret: 'wh_secret_new' }).execute()
    expect((await view(sent.webhook_request_sid)).signature).toMatchObject({ check: 'differs' })
  })

  it('marks the line of a verb that the platform would refuse', async () => {
    const sid = await add()
    const body = '[\n  { "verb": "say", "text": "Hi" },\n  { "verb": "say", "txt": "x" }\n]'
    const json = { 'content-type': 'application/json; charset=utf-8' }
    answer = { status: 200, headers: json, body }
    const { verdict, response_body } = await test(sid)
    expect(response_body?.text).toBe(body)
    expect(verdict).toEqual({
      ok: false,
      message: 'say: unknown property txt',
      line: 3,
      column: 20,
      path: [1, 'txt'],
    })
    answer = { status: 200, headers: json, body: '[\n{"verb": "say",,}]' }
    expect((await test(sid)).verdict).toMatchObject({ message: 'Not valid JSON', line: 2 })
    for (const [status, text, type, message] of [
      [201, '[]', 'application/json', 'not 201'],
      [302, '', 'text/plain', 'redirects'],
      [200, '[{"verb":"hangup"}]', 'text/plain', 'content type'],
      [200, '', 'application/json', 'empty'],
      [200, '[]', 'application/json', 'no verbs'],
      [200, '{"verb":"hangup"}', 'application/json', 'must be array'],
    ] as const) {
      answer = { status, headers: { 'content-type': type }, body: text }
      expect((await test(sid)).verdict, text).toMatchObject({
        ok: false,
        message: expect.stringContaining(message),
      })
    }
  })

  it('marks it also where a secret in the response is masked', async () => {
    const llm = {
      verb: 'llm',
      vendor: 'openai',
      auth: { apiKey: 'x'.repeat(9) },
      llmOptions: { response_create: {} },
    }
    answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([llm, { verb: 'nap' }], undefined, 4),
    }
    const { verdict, response_body } = await test(await add())
    expect(response_body?.text).not.toContain('xxxxxxxxx')
    expect(verdict).toMatchObject({ ok: false, message: 'invalid instruction: nap' })
    expect(response_body?.text.split('\n')[verdict!.line! - 1]).toContain('"nap"')
  })

  it('fills in masked environment variables, and shows none of their values', async () => {
    const sid = await add(HOOK)
    const env_vars = t.ctx.box.seal(JSON.stringify({ API_KEY: KEY, LANG: 'en' }))
    await t.db.updateTable('applications').set({ env_vars }).execute()
    answer = { status: 200, body: { echo: KEY } }
    const sent = await test(sid, { env_vars: { API_KEY: MASK, LANG: 'de' } })
    expect(JSON.parse(String(last().body))).toEqual({ env_vars: { API_KEY: KEY, LANG: 'de' } })
    expect(JSON.stringify(sent)).not.toContain(KEY)
    expect(sent.signature).toMatchObject({ check: 'unknown' })
  })

  it('names what is wrong with it', async () => {
    const sid = await add()
    const send = (body: object) =>
      t.request('a1', 'POST', `/Applications/${sid}/TestRequests`, body)
    for (const [path, body] of [
      ['hook', { hook: 'x', payload: {} }],
      ['hook', { hook: 'messaging_hook', payload: {} }],
      ['payload', { hook: 'call_hook', payload: [] }],
      ['payload', { hook: 'call_hook', payload: { x: 'x'.repeat(TEST_PAYLOAD_MAX) } }],
    ] as const) {
      const answered = await send(body)
      expect([answered.statusCode, answered.json().issues[0].path]).toEqual([400, [path]])
    }
    expect(application.requests).toEqual([])
  })

  it('is a GET without a body where the hook is one', async () => {
    const sent = await test(await add({ ...HOOK, method: 'GET' }))
    expect(sent).toMatchObject({ method: 'GET', request_body: null, signature: {} })
    expect(String(last().body)).toBe('')
  })

  it('reaches no internal address', async () => {
    const real = await testApp()
    try {
      const { sid: application_sid } = await real.as('a1')(api.applications.create, {
        body: {
          name: 'x',
          call_hook: { url: 'http://127.0.0.1:1/' },
          call_status_hook: { url: 'http://169.254.169.254/' },
        },
      })
      for (const hook of ['call_hook', 'call_status_hook'] as const) {
        const sent = await real.as('a1')(api.webhookRequests.test, {
          params: { application_sid },
          body: { hook, payload: {} },
        })
        expect(sent).toMatchObject({ outcome: 'blocked', status: null, verdict: null })
        expect(sent.error).toContain('internal network')
        const again = await real.as('a1')(api.webhookRequests.resend, one(sent.webhook_request_sid))
        expect(again).toMatchObject({ outcome: 'blocked', repeats: sent.webhook_request_sid })
      }
    } finally {
      await real.close()
    }
  })

  it('keeps a part of a hostile response, as text', async () => {
    const sid = await add()
    answer = {
      status: 200,
      headers: {
        'content-type': 'text/html',
        ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, 'y'.repeat(20)])),
      },
      body: Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0x1b]), Buffer.from('€'.repeat(20_000))]),
    }
    const sent = await test(sid)
    expect(sent.response_headers).toHaveLength(100)
    expect(sent.response_body).toMatchObject({ is_cut: true, bytes: 60_004 })
    expect(Buffer.byteLength(sent.response_body!.text)).toBeLessThanOrEqual(16_384)
    expect(sent.response_body!.text).toMatch(/€$/)
    expect(await view(sent.webhook_request_sid)).toEqual(sent)
    answer = { status: 200, body: Buffer.alloc(300_000, 'x') }
    expect(await test(sid)).toMatchObject({ outcome: 'too_large', response_body: null })
    answer = { status: 200, body: 'x', headers: { 'x-large': 'y'.repeat(15_000) } }
    const headers = (await test(sid)).response_headers
    expect(headers.find((h) => h.name === 'x-large')?.value).toHaveLength(1_000)
  })
})

describe('sending again', () => {
  it('repeats the same request with a new signature, and says so in the audit log', async () => {
    const sid = await add(SECRET_HOOK)
    const first = await test(sid)
    const before = { ...last() }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
    const again = await resend(first.webhook_request_sid).finally(() => vi.useRealTimers())
    expect(again).toMatchObject({
      repeats: first.webhook_request_sid,
      outcome: 'accepted',
      signature: { check: 'valid' },
      verdict: { ok: true },
    })
    expect([last().body, last().url.href]).toEqual([before.body, before.url.href])
    expect(last().headers.authorization).toBe(`Basic ${BASIC}`)
    expect(last().headers['jambonz-signature']).not.toBe(before.headers['jambonz-signature'])
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, action: 'send' } })
    expect(data).toMatchObject([
      { kind: 'application', sid, name: 'ivr', account_sid: t.sids.a1 },
      { kind: 'application', sid },
    ])
  })

  it('puts the secrets of an alert destination in again', async () => {
    const kinds = [
      { name: 'w', kind: 'webhook', address: WEBHOOK, secret: SECRET },
      { name: 's', kind: 'slack', secret: SLACK },
      { name: 'p', kind: 'pagerduty', address: 'eu', secret: PAGERDUTY },
    ] as const
    for (const body of kinds) {
      const { sid: alert_destination_sid } = await t.as('a1')(api.alertDestinations.create, {
        body,
      })
      await t.as('a1')(api.alertDestinations.test, { params: { alert_destination_sid } })
      const [logged] = (await list('a1', { alert_destination_sid })).data
      expect(logged).toMatchObject({ kind: 'alert', outcome: 'accepted' })
      const before = last()
      await resend(logged!.webhook_request_sid)
      expect(last()).not.toBe(before)
      expect([last().body, last().url]).toEqual([before.body, before.url])
      if (body.kind === 'webhook') expect(await isSigned(last().headers, last().body)).toBe(true)
    }
    expect(application.requests).toHaveLength(6)
  })

  it('is refused where its address or secrets have changed or are gone', async () => {
    const sid = await add(SECRET_HOOK)
    const { webhook_request_sid } = await test(sid)
    const body = { call_hook: { ...SECRET_HOOK, url: 'https://app.example/other' } }
    await t.as('a1')(api.applications.update, { params: { application_sid: sid }, body })
    await expect(resend(webhook_request_sid)).rejects.toMatchObject(refused(422))
    const masked = await test(sid, { text: 'the password=hunter22' })
    await expect(resend(masked.webhook_request_sid)).rejects.toMatchObject(refused(422))
    await t.as('a1')(api.applications.remove, { params: { application_sid: sid } })
    await expect(resend(masked.webhook_request_sid)).rejects.toMatchObject(refused(422))
    expect(application.requests).toHaveLength(2)
  })

  it('is limited per minute, together with tests', async () => {
    const sid = await add()
    const { webhook_request_sid } = await test(sid)
    const minute = Math.floor(Date.now() / 60_000)
    for (const at of [minute, minute + 1, minute + 2])
      for (let i = 0; i < 30; i++)
        await t.ctx.live.increment(`switchroom:webhook-sent:${t.users.a1}:${at}`, 300)
    await expect(resend(webhook_request_sid)).rejects.toMatchObject(refused(429))
    await expect(test(sid)).rejects.toMatchObject(refused(429))
    expect(application.requests).toHaveLength(1)
    expect(await resend(webhook_request_sid, 'sp1')).toMatchObject({ outcome: 'accepted' })
  })
})

describe('the log', () => {
  it('never has a secret, nor does what is told of it elsewhere', async () => {
    const sid = await add(SECRET_HOOK)
    const env_vars = t.ctx.box.seal(JSON.stringify({ API_KEY: KEY }))
    await t.db.updateTable('applications').set({ env_vars }).execute()
    const echo = [PASSWORD, TOKEN, KEY, BASIC, SECRET, SLACK, PAGERDUTY].join(' ')
    answer = {
      status: 200,
      headers: { 'x-echo': `${PASSWORD} ${TOKEN}`, 'set-cookie': 'session=canary-cookie' },
      body: `"${[PASSWORD, TOKEN, KEY, BASIC].join(' ')}"`,
    }
    const sent = await test(sid, { env_vars: { API_KEY: MASK }, note: `token=${TOKEN}` })
    expect(last().headers.authorization).toBe(`Basic ${BASIC}`)
    const shown = [JSON.stringify(sent), JSON.stringify(await view(sent.webhook_request_sid))]
    for (const [body, own] of [
      [{ name: 'w', kind: 'webhook', address: WEBHOOK, secret: SECRET }, SECRET],
      [{ name: 's', kind: 'slack', secret: SLACK }, SLACK],
      [{ name: 'p', kind: 'pagerduty', address: 'eu', secret: PAGERDUTY }, PAGERDUTY],
    ] as const) {
      answer = { status: 400, body: own }
      const { sid: alert_destination_sid } = await t.as('a1')(api.alertDestinations.create, {
        body,
      })
      await t.as('a1')(api.alertDestinations.test, { params: { alert_destination_sid } })
    }
    const { data } = await list()
    for (const row of data) shown.push(JSON.stringify(await view(row.webhook_request_sid)))
    shown.push(JSON.stringify(data))
    shown.push(
      JSON.stringify(await t.db.selectFrom('switchroom_webhook_requests').selectAll().execute()),
    )
    shown.push(JSON.stringify(await t.db.selectFrom('switchroom_audit').selectAll().execute()))
    shown.push(t.lines.join())
    expect(echo.split(' ').every((word) => CANARIES.includes(word))).toBe(true)
    for (const text of shown)
      for (const canary of [...CANARIES, 'canary-cookie']) expect(text).not.toContain(canary)
  })

  it('belongs to the owner of the address', async () => {
    const sid = await add()
    const { webhook_request_sid } = await test(sid)
    const providers = await t.as('sp1')(api.alertDestinations.create, {
      body: {
        name: 'w',
        kind: 'webhook',
        address: WEBHOOK,
        secret: SECRET,
        service_provider_sid: t.sids.sp1,
      },
    })
    await t.as('sp1')(api.alertDestinations.test, {
      params: { alert_destination_sid: providers.sid },
    })
    await t.as('admin')(api.appEnv.check, { query: { url: HOOK.url } })
    const totals = async (...who: string[]) =>
      Object.fromEntries(await Promise.all(who.map(async (w) => [w, (await list(w)).total])))
    expect(await totals('a1', 'a2', 'b1', 'sp1', 'sp2', 'admin')).toEqual({
      a1: 1,
      a2: 0,
      b1: 0,
      sp1: 2,
      sp2: 0,
      admin: 3,
    })
    for (const who of ['a2', 'b1', 'sp2']) {
      await expect(view(webhook_request_sid, who)).rejects.toMatchObject(refused(404))
      await expect(resend(webhook_request_sid, who)).rejects.toMatchObject(refused(404))
      await expect(test(sid, {}, who)).rejects.toMatchObject(refused(404))
    }
  })

  it('is read by view-only users, who send nothing and see only the host', async () => {
    const sid = await add()
    const { webhook_request_sid } = await test(sid)
    expect((await view(webhook_request_sid, 'a1-viewer')).url).toBe(`https://app.example/${MASK}`)
    expect((await list('a1-viewer', { filter: 'app.ex' })).total).toBe(1)
    expect((await list('a1-viewer', { filter: '/calls' })).total).toBe(0)
    expect((await list('a1', { filter: '/CALLS' })).total).toBe(1)
    await expect(resend(webhook_request_sid, 'a1-viewer')).rejects.toMatchObject(refused(403))
    await expect(test(sid, {}, 'a1-viewer')).rejects.toMatchObject(refused(403))
  })

  it('is filtered by kind, outcome and time', async () => {
    const sid = await add()
    answer = { status: 500 }
    await test(sid)
    answer = { status: 404 }
    await t.as('a1')(api.appEnv.check, { query: { url: HOOK.url } })
    answer = { status: 200, body: [] }
    await test(sid)
    const total = async (query: object) => (await list('a1', query)).total
    expect(await total({ kind: 'environment' })).toBe(1)
    expect(await total({ outcome: 'failed' })).toBe(2)
    expect(await total({ outcome: 'accepted' })).toBe(1)
    expect(await total({ application_sid: sid })).toBe(2)
    expect(await total({ from: new Date(Date.now() + 60_000).toISOString() })).toBe(0)
    expect(await total({ to: new Date(Date.now() + 60_000).toISOString() })).toBe(3)
  })

  it('neither fails nor delays a request when it cannot be written', async () => {
    const sid = await add()
    const failing = vi
      .spyOn(t.ctx.memory.webhookLog, 'rows')
      .mockRejectedValue(new Error('the disk is full'))
    expect(await test(sid)).toMatchObject({ outcome: 'accepted', verdict: { ok: true } })
    expect(await test(sid)).toMatchObject({ outcome: 'accepted' })
    const failures = t.lines.filter((line) =>
      line.includes('requests to webhooks cannot be logged'),
    )
    expect(failures).toHaveLength(1)
    failing.mockRestore()
    expect(await test(sid)).toMatchObject({ outcome: 'accepted' })
    expect((await list()).total).toBe(1)
    // neither does an address that barely is one
    const { sid: alert_destination_sid } = await t.as('a1')(api.alertDestinations.create, {
      body: { name: 'w', kind: 'webhook', address: `${WEBHOOK}?token=%zz`, secret: SECRET },
    })
    const sent = await t.as('a1')(api.alertDestinations.test, { params: { alert_destination_sid } })
    expect(sent.ok).toBe(true)
  })

  it('keeps the newest of each owner, for a week, and nothing of who is deleted', async () => {
    const sid = await add()
    for (let i = 0; i < 5; i++) await test(sid)
    await keepNewest(t.db, t.sids.a2, 0)
    expect((await list()).total).toBe(5)
    await keepNewest(t.db, t.sids.a1, 3)
    expect((await list()).total).toBeLessThanOrEqual(3)
    await deleteOld(t.db, Date.now() + 6 * 24 * 3_600_000)
    expect((await list()).total).toBeGreaterThan(0)
    await deleteOld(t.db, Date.now() + 8 * 24 * 3_600_000)
    expect((await list()).total).toBe(0)
    await test(sid)
    await t.as('a1')(api.applications.remove, { params: { application_sid: sid } })
    const { sid: owner } = await t.as('sp1')(api.accounts.create, {
      body: { name: 'short-lived', service_provider_sid: t.sids.sp1 },
    })
    const moved = { account_sid: owner }
    await t.db.updateTable('switchroom_webhook_requests').set(moved).execute()
    expect((await list('sp1')).total).toBe(1)
    await t.as('sp1')(api.accounts.remove, { params: { account_sid: owner }, body: {} })
    expect((await list('admin')).total).toBe(0)
    expect(KEPT_ROWS).toBe(1_000)
  })

  it('is written in few statements under load', async () => {
    const inserts = vi.fn()
    t.ctx.databaseUse.writes.add((writes) => {
      for (const { table, change } of writes)
        if (table === 'switchroom_webhook_requests' && change === 'insert') inserts()
    })
    await test(await add())
    const row = await t.db
      .selectFrom('switchroom_webhook_requests')
      .selectAll()
      .executeTakeFirstOrThrow()
    await Promise.all(
      Array.from({ length: 120 }, () =>
        record(t.ctx, { ...row, webhook_request_sid: randomUUID() }),
      ),
    )
    expect((await list()).total).toBe(121)
    expect(inserts.mock.calls.length).toBeLessThan(6)
  })
})
