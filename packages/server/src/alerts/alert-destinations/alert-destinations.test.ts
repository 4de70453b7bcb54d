import { api, MASK } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  isSigned,
  PAGERDUTY,
  type Receivers,
  receivers,
  SECRET,
  SLACK,
  WEBHOOK,
} from '../../../test/stand-ins/alert-receivers.ts'
import { signature } from './message.ts'

let t: TestApp
let r: Receivers
beforeEach(async () => {
  r = await receivers()
  t = await testApp({}, r.out)
})
afterEach(async () => {
  vi.useRealTimers()
  await t.close()
  await r.close()
})

const kinds = {
  webhook: { kind: 'webhook', address: WEBHOOK, secret: SECRET },
  slack: { kind: 'slack', secret: SLACK },
  pagerduty: { kind: 'pagerduty', address: 'eu', secret: PAGERDUTY },
  mail: { kind: 'mail', address: 'ops@example.com' },
} as const
type Kind = keyof typeof kinds

const add = async (kind: Kind, more: object = {}, who = 'a1') =>
  (
    await t.as(who)(api.alertDestinations.create, {
      body: { name: `to ${kind}`, ...kinds[kind], ...more },
    })
  ).sid
const params = (alert_destination_sid: string) => ({ params: { alert_destination_sid } })
const view = (sid: string, who = 'a1') => t.as(who)(api.alertDestinations.view, params(sid))
const test = (sid: string, who = 'a1') => t.as(who)(api.alertDestinations.test, params(sid))
const change = (sid: string, body: object) =>
  t.as('a1')(api.alertDestinations.update, { ...params(sid), body })
const refused = (path: string, message?: string) => ({
  status: 400,
  body: { issues: [{ path: [path], ...(message && { message }) }] },
})

it('adds, lists, changes and deletes, with the actor in the audit log', async () => {
  const sid = await add('webhook', { alert_types: ['no-tts', 'no-carrier', 'no-tts'] })
  expect(await view(sid)).toMatchObject({
    account_sid: t.sids.a1,
    service_provider_sid: null,
    address: WEBHOOK,
    secret: MASK,
    alert_types: ['no-carrier', 'no-tts'],
    is_active: 1,
    last_tried_at: null,
    last_error: null,
  })
  const seen = await view(sid)
  await change(sid, { name: 'other', is_active: false, alert_types: [] })
  expect(await view(sid)).toMatchObject({ name: 'other', is_active: 0, alert_types: [] })
  await expect(
    t.as('a1')(api.alertDestinations.update, {
      ...params(sid),
      body: { name: 'third' },
      version: seen.version,
    }),
  ).rejects.toMatchObject({ status: 409 })
  const list = await t.as('a1')(api.alertDestinations.list, { query: { page: 1 } })
  expect(list).toMatchObject({ total: 1, data: [{ name: 'other', account_name: 'a1' }] })
  await t.as('a1')(api.alertDestinations.remove, params(sid))
  const log = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'alert_destination' } })
  expect(log.data.map((e) => e.action).sort()).toEqual(['create', 'delete', 'update'])
})

it('keeps the stored secret when the mask is sent back, and never returns it', async () => {
  const sid = await add('webhook')
  await change(sid, { secret: MASK, address: `${WEBHOOK}?x=1` })
  await change(sid, { address: WEBHOOK })
  await test(sid)
  expect(r.state.signed).toEqual([true])
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  await change(sid, { secret: other })
  await test(sid)
  expect(r.state.signed).toEqual([true, false])
  const row = await t.db.selectFrom('switchroom_alert_destinations').selectAll().execute()
  const log = await t.db.selectFrom('switchroom_audit').selectAll().execute()
  for (const kept of [JSON.stringify(row), JSON.stringify(log), t.lines.join()])
    for (const canary of [SECRET, other, SECRET.slice(6)]) expect(kept).not.toContain(canary)
})

it.each([
  ['address', { kind: 'webhook', secret: SECRET }, 'Enter the URL'],
  ['address', { kind: 'webhook', secret: SECRET, address: 'ftp://x.example' }, undefined],
  [
    'address',
    { kind: 'webhook', secret: SECRET, address: 'https://u:p@x.example' },
    'Remove the username and password from the URL',
  ],
  ['secret', { kind: 'webhook', address: WEBHOOK }, 'Enter the signing secret'],
  [
    'secret',
    { kind: 'webhook', address: WEBHOOK, secret: 'short' },
    'Enter whsec_ followed by 24 to 64 bytes in base64',
  ],
  ['secret', { kind: 'webhook', address: WEBHOOK, secret: MASK }, 'Enter the secret again'],
  ['secret', { kind: 'slack', secret: 'http://hooks.slack.com/x' }, undefined],
  ['address', { kind: 'slack', secret: SLACK, address: 'x' }, 'Slack does not accept address'],
  ['secret', { kind: 'pagerduty', address: 'us', secret: 'x' }, undefined],
  ['address', { kind: 'pagerduty', address: 'moon', secret: PAGERDUTY }, undefined],
  ['address', { kind: 'mail', address: 'nobody' }, 'Enter an email address'],
  ['kind', { kind: 'pigeon' }, 'Choose a type'],
  ['name', { ...kinds.mail, name: '' }, 'Enter the name'],
])('rejects an invalid %s (%j)', async (field, body, message) => {
  const made = t.as('a1')(api.alertDestinations.create, { body: { name: 'x', ...body } as never })
  await expect(made).rejects.toMatchObject(refused(field, message))
})

it('validates an update like a new destination', async () => {
  const sid = await add('webhook')
  await expect(change(sid, { address: 'nowhere' })).rejects.toMatchObject(refused('address'))
  await expect(change(sid, { secret: null })).rejects.toMatchObject(
    refused('secret', 'Enter the signing secret'),
  )
  await expect(change(sid, { alert_types: ['x'] })).rejects.toMatchObject({ status: 400 })
})

describe('ownership', () => {
  it('belongs to an account or a provider, and accounts do not see their provider’s', async () => {
    const own = await add('mail')
    const providers = await add('mail', { name: 'of all' }, 'sp1')
    const admins = await add('mail', { service_provider_sid: t.sids.sp2 }, 'admin')
    expect(await view(providers, 'sp1')).toMatchObject({
      account_sid: null,
      service_provider_sid: t.sids.sp1,
    })
    expect((await view(own, 'sp1')).account_sid).toBe(t.sids.a1)
    for (const [who, sid] of [
      ['a1', providers],
      ['a2', own],
      ['sp2', own],
      ['sp1', admins],
      ['b1', admins],
    ] as const) {
      await expect(view(sid, who), who).rejects.toMatchObject({ status: 404 })
      await expect(test(sid, who), who).rejects.toMatchObject({ status: 404 })
      await expect(t.as(who)(api.alertDestinations.remove, params(sid)), who).rejects.toMatchObject(
        { status: 404 },
      )
    }
    const listed = async (who: string, query: object = {}) =>
      (await t.as(who)(api.alertDestinations.list, { query: { page: 1, ...query } })).total
    expect(await listed('a1')).toBe(1)
    expect(await listed('sp1')).toBe(2)
    expect(await listed('sp2')).toBe(1)
    expect(await listed('admin')).toBe(3)
    expect(await listed('admin', { service_provider_sid: t.sids.sp1 })).toBe(2)
    expect(await listed('sp1', { account_sid: t.sids.b1 })).toBe(0)
  })

  it('cannot be assigned to another owner', async () => {
    await expect(add('mail', { account_sid: t.sids.b1 }, 'sp1')).rejects.toMatchObject(
      refused('account_sid'),
    )
    await expect(add('mail', {}, 'admin')).rejects.toMatchObject(refused('service_provider_sid'))
    await expect(add('mail', { account_sid: t.sids.a2 })).rejects.toMatchObject(
      refused('account_sid'),
    )
  })

  it('is deleted with its account', async () => {
    const { sid: account_sid } = await t.as('sp1')(api.accounts.create, {
      body: { name: 'short-lived', service_provider_sid: t.sids.sp1 },
    })
    await add('mail', { account_sid }, 'sp1')
    await t.as('sp1')(api.accounts.remove, { params: { account_sid }, body: {} })
    const left = await t.db.selectFrom('switchroom_alert_destinations').selectAll().execute()
    expect(left).toEqual([])
  })
})

describe('a test message', () => {
  it('reaches every kind of destination and reports the response', async () => {
    expect(await test(await add('webhook'))).toEqual({
      ok: true,
      message: 'The receiver answered 204',
    })
    expect(r.state.signed).toEqual([true])
    expect(await test(await add('slack'))).toEqual({ ok: true, message: 'Slack answered 200' })
    expect(await test(await add('pagerduty'))).toEqual({
      ok: true,
      message: 'PagerDuty answered 202',
    })
    expect(r.got.map((g) => g.to)).toEqual(['webhook', 'slack', 'pagerduty'])
    expect(r.got[0]!.body).toMatchObject({ type: 'alert.test', data: { account_sid: t.sids.a1 } })
    expect(r.got[2]!.body).toMatchObject({ host: 'events.eu.pagerduty.com' })
    expect(await test(await add('mail'))).toMatchObject({ ok: true })
    expect(t.mails).toMatchObject([{ to: 'ops@example.com', subject: '[Switchroom] Test alert' }])
    t.ctx.mail = undefined
    expect(await test(await add('mail'))).toEqual({
      ok: false,
      message: 'This server is not configured to send email',
    })
  })

  it('reports the failure in the response and on the destination until one succeeds', async () => {
    const sid = await add('webhook')
    r.state.answer = { status: 500, body: `echo of ${SECRET}` }
    expect(await test(sid)).toEqual({ ok: false, message: 'The receiver answered 500' })
    expect(await view(sid)).toMatchObject({
      last_error: 'The receiver answered 500',
      last_tried_at: expect.stringMatching(/Z$/),
    })
    r.state.answer = { status: 302, headers: { location: 'http://169.254.169.254/' } }
    expect((await test(sid)).message).toBe(
      'The receiver answered 302, and redirects are not followed',
    )
    r.state.answer = { status: 200, body: 'x'.repeat(100_000) }
    expect((await test(sid)).message).toBe('The receiver answered with too large a response')
    r.state.answer = undefined
    await test(sid)
    expect((await view(sid)).last_error).toBeNull()
    const wrong = await add('slack', { secret: `${SLACK}x` })
    expect((await test(wrong)).message).toBe('Slack answered 404 (no_service)')
    const key = await add('pagerduty', { secret: 'x'.repeat(32) })
    expect((await test(key)).message).toBe('PagerDuty answered 400')
    const away = await add('webhook', { address: 'https://elsewhere.example/' })
    expect((await test(away)).message).toBe('The receiver cannot be reached')
  })

  it('reaches no internal address', async () => {
    const real = await testApp()
    try {
      for (const address of ['http://127.0.0.1:1/', 'http://169.254.169.254/', 'http://[::1]/']) {
        const { sid } = await real.as('a1')(api.alertDestinations.create, {
          body: { name: 'x', ...kinds.webhook, address },
        })
        const { ok, message } = await real.as('a1')(api.alertDestinations.test, params(sid))
        expect([ok, message]).toEqual([false, expect.stringContaining('internal network')])
      }
    } finally {
      await real.close()
    }
  })

  it('is limited to ten a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const sid = await add('mail')
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => test(sid)))
    expect(all.filter((a) => a.status === 'fulfilled')).toHaveLength(10)
    await expect(test(sid)).rejects.toMatchObject({ status: 429 })
  })

  it('limits the emails per mailbox across callers', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const sids = await Promise.all(
      ['a1', 'a2', 'b1'].map((who) => add('mail', { address: 'Victim@example.com' }, who)),
    )
    const all = await Promise.allSettled(
      sids.flatMap((sid, i) => Array.from({ length: 9 }, () => test(sid, ['a1', 'a2', 'b1'][i]))),
    )
    const sent = all.filter((a) => a.status === 'fulfilled').length
    expect(sent).toBe(20)
    expect(t.mails).toHaveLength(sent)
    const other = await add('mail', {}, 'a2')
    expect((await test(other, 'a2')).ok).toBe(true)
  })
})

it('limits the destinations of each account and each provider', async () => {
  const made = (who: string, more: object, n: number) =>
    Promise.allSettled(Array.from({ length: n }, () => add('mail', more, who)))
  const full = (all: PromiseSettledResult<string>[]) =>
    all.filter((a) => a.status === 'rejected').map((a) => a.reason.status)
  expect(full(await made('a1', {}, 22))).toEqual([422, 422])
  expect(full(await made('a2', {}, 1))).toEqual([])
  expect(full(await made('sp1', {}, 20))).toEqual([])
  expect(full(await made('sp1', {}, 1))).toEqual([422])
  expect(full(await made('sp1', { account_sid: t.sids.a1 }, 1))).toEqual([422])
  expect(full(await made('sp1', { account_sid: t.sids.a2 }, 1))).toEqual([])
})

it('signs the whole message the way receivers verify it', async () => {
  const body = '{"a":1}'
  const headers = (more: object = {}) => ({
    'webhook-id': 'm1',
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature(SECRET, 'm1', 1_614_265_330, body),
    ...more,
  })
  expect(await isSigned(headers(), Buffer.from(body))).toBe(true)
  expect(await isSigned(headers({ 'webhook-id': 'm2' }), Buffer.from(body))).toBe(false)
  expect(await isSigned(headers({ 'webhook-timestamp': '1' }), Buffer.from(body))).toBe(false)
  expect(await isSigned(headers(), Buffer.from('{"a":2}'))).toBe(false)
})
