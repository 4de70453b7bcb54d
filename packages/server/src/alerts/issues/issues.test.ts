import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raiseAlerts } from '../../../test/alerts.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { gatherFailures } from '../failures/gather.ts'
import { alertState, FOREVER, ongoingState } from './marks.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.now()
let t: TestApp
let store: TestStore
let application: string
const carriers: Record<string, string> = {}
let serial = 0

type Calls = { trunk: string; of?: 'a1' | 'b1'; status: number; calls: number; ago?: number }
async function write(...groups: Calls[]) {
  const lines = groups.flatMap(({ trunk, of = 'a1', status, calls, ago = 0 }) =>
    Array.from({ length: calls }, () =>
      callLine({
        ms: Date.now() - ago - 1_000,
        ns: serial++,
        tags: {
          ...{ account_sid: t.sids[of], direction: 'outbound', trunk, host: '10.0.0.1' },
          service_provider_sid: of === 'b1' ? t.sids.sp2 : t.sids.sp1,
          answered: String(status === 200),
        },
        fields: {
          ...{ call_sid: `call-${serial}`, sip_callid: `sip-${serial}@pbx`, to: '447700900123' },
          sip_status: status,
        },
      }),
    ),
  )
  expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
}

/** An anomaly among the calls of a provider or an account. */
const anomaly = (kind: 'application' | 'prefix' | 'carrier', id: string) => ({
  ...{ kind, id, direction: null, measure: 'answered' },
  ...{ since: NOW - HOUR, from: NOW - HOUR, to: NOW },
  ...{ calls: 40, value: 0.6, usual: 0.8 },
})

beforeAll(async () => {
  t = await testApp()
  store = await testStore('embedded')
  t.ctx.stores.calls = store.calls
  t.ctx.stores.alerts = store.alerts
  for (const [name, more] of Object.entries({
    Albion: {},
    Quiet: {},
    Unregistered: {
      ...{ requires_register: 1, register_username: 'u', register_password: 'p' },
      register_sip_realm: 'example.com',
    },
  })) {
    const body = { name, service_provider_sid: t.sids.sp1, ...more } as never
    carriers[name] = (await t.as('sp1')(api.voipCarriers.create, { body })).sid
  }
  carriers.Foreign = (await t.as('b1')(api.voipCarriers.create, { body: { name: 'Foreign' } })).sid
  await t.db
    .updateTable('voip_carriers')
    .set({ register_status: JSON.stringify({ status: 'fail', reason: '403 Forbidden' }) })
    .where('voip_carrier_sid', '=', carriers.Unregistered!)
    .execute()
  const hook = { url: 'https://example.com/', method: 'POST' as const }
  application = (
    await t.as('a1')(api.applications.create, {
      body: {
        ...{ name: 'Front desk', account_sid: t.sids.a1 },
        ...{ call_hook: hook, call_status_hook: hook },
      },
    })
  ).sid
  await write(
    { trunk: 'Albion', status: 200, calls: 80, ago: 4 * DAY },
    { trunk: 'Albion', status: 200, calls: 10 },
    { trunk: 'Albion', status: 503, calls: 30 },
    // one wrong number
    { trunk: 'Quiet', status: 404, calls: 1 },
    { trunk: 'Foreign', of: 'b1', status: 503, calls: 30 },
  )
  const now = Date.now()
  const a1 = { account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
  await raiseAlerts(
    store,
    now - HOUR,
    { ...a1, alert_type: 'no-carrier', message: 'https://u:hidden@h.example has none' },
    { ...a1, account_sid: t.sids.a2, alert_type: 'no-tts', message: 'no voice' },
    { ...a1, alert_type: 'alert-from-application', message: 'hello' },
    { ...a1, alert_type: 'tts-failure', message: 'once' },
    { ...a1, alert_type: 'stt-failure', message: 'twice' },
    { ...a1, alert_type: 'stt-failure', message: 'twice', vendor: 'google' },
  )
  await raiseAlerts(store, now - 3 * DAY, { ...a1, alert_type: 'no-stt', message: 'long ago' })
  await gatherFailures(t.ctx)
  const finder = {
    find: async (_: unknown, owner: { account_sid?: string }) => ({
      ...{ at: Date.now(), weeks: 4, judged: 1, unjudged: [] },
      anomalies:
        owner.account_sid === t.sids.a2
          ? []
          : [
              anomaly('application', application),
              // an issue that Albion's failure explains as well
              anomaly('prefix', '4477'),
              anomaly('carrier', 'Albion'),
            ],
    }),
  }
  t.ctx.memory.anomalies = async () => finder as never
})
afterAll(async () => {
  await t.close()
  await store.close()
})

type Query = Record<string, string | number>
const provider = () => ({ service_provider_sid: t.sids.sp1 })
const ofProvider = (who: string, query: Query = { state: 'open' }) =>
  t.as(who)(api.providerIssues.list, { params: provider(), query: query as never })
const ofAccount = (who: string, account_sid: string, query: Query = { state: 'open' }) =>
  t.as(who)(api.accountIssues.list, { params: { account_sid }, query: query as never })
const shown = ({ data }: Awaited<ReturnType<typeof ofProvider>>) =>
  data.map(({ severity, kind, text, account_name }) =>
    [severity, kind, account_name, text].filter(Boolean).join(' '),
  )

const ALBION = 'critical failure Albion answers 503 Service Unavailable to calls to +44 77'
const UNREGISTERED =
  'critical carrier Unregistered: Not registered. Registration failed: 403 Forbidden.'
const NO_CARRIER = 'critical alert a1 No carrier: https://***:***@h.example/ has none'
const NO_VOICE = 'warning alert a2 No text-to-speech: no voice'
const FRONT_DESK =
  'warning anomaly Application Front desk: 60 % answered in the last 60 minutes, usually 80 %'
const TWICE = 'warning alert a1 Speech-to-text failed: twice'
const ONCE = 'info alert a1 Text-to-speech failed: once'
const HELLO = 'info alert a1 Application alert: hello'
const PREFIX =
  'info anomaly Calls to numbers starting with 4477: 60 % answered in the last 60 minutes, usually 80 %'
const WRONG_NUMBER = 'info failure Quiet answers 404 Not Found to calls to +44 77'

it('has each cause once, the most urgent first', async () => {
  const page = await ofProvider('sp1')
  expect(shown(page).sort()).toEqual(
    [
      ALBION,
      UNREGISTERED,
      NO_CARRIER,
      NO_VOICE,
      TWICE,
      FRONT_DESK,
      ONCE,
      HELLO,
      PREFIX,
      WRONG_NUMBER,
    ].sort(),
  )
  expect(page.data.map(({ severity }) => severity)).toEqual([
    ...['critical', 'critical', 'critical'],
    ...['warning', 'warning', 'warning'],
    ...['info', 'info', 'info', 'info'],
  ])
  const failure = page.data.find(({ kind }) => kind === 'failure')!
  expect(failure).toMatchObject({
    key: expect.any(String),
    count: 30,
    failure: { carrier: { name: 'Albion' }, figures: { calls: 30 } },
  })
})

it('is an account’s own, and counts what needs somebody', async () => {
  const own = shown(await ofAccount('a1', t.sids.a1))
  expect(own).toContain(ALBION)
  expect(own).toContain(WRONG_NUMBER)
  expect(own).not.toContain(NO_VOICE)
  expect(shown(await ofAccount('a2', t.sids.a2))).toContain(NO_VOICE)
  expect(shown(await ofAccount('a2', t.sids.a2))).not.toContain(ALBION)
  await expect(ofAccount('a1', t.sids.a2)).rejects.toMatchObject({ status: 404 })
  await expect(ofProvider('sp2')).rejects.toMatchObject({ status: 404 })
  expect(await t.as('sp1')(api.providerIssues.count, { params: provider() })).toEqual({
    issues: 6,
  })
  const account = { account_sid: t.sids.a1 }
  const { issues } = await t.as('a1-viewer')(api.accountIssues.count, { params: account })
  expect(issues).toBe(own.filter((text) => !text.startsWith('info')).length)
})

it('is filtered, sorted and paged', async () => {
  expect(shown(await ofProvider('sp1', { severity: 'info' })).sort()).toEqual(
    [ONCE, HELLO, PREFIX, WRONG_NUMBER].sort(),
  )
  expect(shown(await ofProvider('sp1', { kind: 'anomaly' }))).toEqual([FRONT_DESK, PREFIX])
  expect(shown(await ofProvider('sp1', { filter: 'ALBION' }))).toEqual([ALBION])
  expect(shown(await ofProvider('sp1', { filter: 'hidden' }))).toEqual([])
  expect(shown(await ofProvider('sp1', { state: 'quiet' }))).toEqual([
    'warning alert a1 No speech-to-text: long ago',
  ])
  expect(shown(await ofProvider('sp1', { state: 'open', sort: '-count' }))[0]).toBe(FRONT_DESK)
  const page = await ofProvider('sp1', { state: 'open', page: 2, page_size: 3 })
  expect(page).toMatchObject({ total: 10, page: 2, page_size: 3 })
  expect(page.data.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning'])
})

it('takes what is watched off the badge, with what tells the same, and keeps it in the list', async () => {
  const { key } = (await ofProvider('sp1', { filter: 'ALBION' })).data[0]!
  const set = (rerouted_to: string | null) =>
    t.as('sp1')(api.failures.update, { params: { failure_sid: key }, body: { rerouted_to } })
  await set(carriers.Quiet!)
  const list = await ofProvider('sp1')
  expect(list.data.find((issue) => issue.key === key)?.state).toBe('watched')
  expect(shown(list)).toContain(PREFIX)
  expect(await t.as('sp1')(api.providerIssues.count, { params: provider() })).toEqual({
    issues: 5,
  })
  await set(null)

  // nor one that the calls before explain, once the failure has closed
  const rows = () => t.db.updateTable('switchroom_failures').where('failure_sid', '=', key)
  const rerouted = { to: 'Quiet', since: '', calls: 5, answered: 5, refused: 0, still: 0 }
  await rows()
    .set({
      state: 'mended',
      mended_at: new Date().toISOString(),
      rerouted: JSON.stringify({ ...rerouted, worked: true }),
    })
    .execute()
  const after = await ofProvider('sp1', {})
  expect(shown(after)).toContain(PREFIX)
  const albion = after.data.filter(({ subject }) => subject === 'Albion')
  expect(albion.map(({ kind, state }) => [kind, state]).sort()).toEqual([
    ['carrier', 'resolved'],
    ['failure', 'resolved'],
  ])
  await rows().set({ state: 'open', mended_at: null, rerouted: null }).execute()
})

describe('is marked', () => {
  type Body = Record<string, unknown>
  const mark = (who: string, body: Body) =>
    t.as(who)(api.providerIssues.mark, { params: provider(), body: body as never })
  const noVoice = () => ({ kind: 'alert', key: 'no-tts', account_sid: t.sids.a2 })
  const find = async (text: string) =>
    (await ofProvider('sp1', {})).data.find((issue) => issue.text.includes(text))!

  it('only for accounts of its provider by administrators too', async () => {
    const foreign = { kind: 'alert', key: 'no-tts', state: 'resolved', account_sid: t.sids.b1 }
    const refused = await t.request(
      'admin',
      'PUT',
      `/ServiceProviders/${t.sids.sp1}/Issues`,
      foreign,
    )
    expect(refused.statusCode).toBe(400)
    expect(refused.json().issues[0].path).toEqual(['account_sid'])
  })

  it('as resolved, muted or assigned, for everyone of the inbox', async () => {
    await mark('sp1', { ...noVoice(), state: 'resolved', assigned_to: t.users.sp1 })
    expect(await find('no voice')).toMatchObject({ state: 'resolved', assignee: 'sp1' })
    expect(shown(await ofProvider('sp1'))).not.toContain(NO_VOICE)
    expect(shown(await ofAccount('a2', t.sids.a2))).toContain(NO_VOICE)
    expect((await ofProvider('sp1', { assigned: 'me' })).total).toBe(1)
    expect((await ofProvider('admin', { assigned: 'me' })).total).toBe(0)
    await raiseAlerts(store, Date.now() + 1_000, {
      ...{ account_sid: t.sids.a2, service_provider_sid: t.sids.sp1 },
      ...{ alert_type: 'no-tts', message: 'no voice' },
    })
    expect(await find('no voice')).toMatchObject({ state: 'returned', assignee: 'sp1' })

    const until = new Date(Date.now() + HOUR).toISOString()
    await mark('sp1', { ...noVoice(), state: 'muted', muted_until: until })
    expect(await find('no voice')).toMatchObject({ state: 'muted', muted_until: until })
    await mark('sp1', { ...noVoice(), state: 'muted', assigned_to: null })
    expect(await find('no voice')).toMatchObject({ state: 'muted', muted_until: null })
    await mark('sp1', { ...noVoice(), state: 'open' })
    expect(await find('no voice')).toMatchObject({ state: 'open', assigned_to: null })
    // nothing is left of it
    expect(await t.db.selectFrom('switchroom_alert_matters').selectAll().execute()).toEqual([])
    const log = await t.as('sp1')(api.audit.list, { query: { page: 1, kind: 'alert_matter' } })
    expect(log.data.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'delete No text-to-speech',
      'update No text-to-speech',
      'update No text-to-speech',
      'create No text-to-speech',
    ])
  })

  it.each([
    ['carrier', 'Unregistered: ', () => carriers.Unregistered!],
    ['anomaly', 'Front desk', () => `application any answered ${application}`],
  ])('where it is a %s', async (kind, text, key) => {
    const { key: shown } = await find(text)
    expect(shown).toBe(key())
    await mark('sp1', { kind, key: shown, state: 'resolved' })
    expect(await find(text)).toMatchObject({ state: 'resolved' })
    await mark('sp1', { kind, key: shown, state: 'open' })
    expect(await find(text)).toMatchObject({ state: 'open' })
  })

  it('by nobody who may not, nor with what others have', async () => {
    const status = (who: string, body: Body) =>
      mark(who, body).then(
        () => 204,
        (error) => error.status,
      )
    const resolved = { ...noVoice(), state: 'resolved' }
    expect(await status('sp1-viewer', resolved)).toBe(403)
    expect(await status('sp2', resolved)).toBe(404)
    expect(await status('sp1', { ...resolved, account_sid: t.sids.b1 })).toBe(400)
    const anomaly = { kind: 'anomaly', state: 'resolved' }
    for (const body of [
      { kind: 'carrier', key: carriers.Foreign, state: 'resolved' },
      { kind: 'carrier', key: 'no sid', state: 'resolved' },
      { ...anomaly, key: `account any answered ${t.sids.b1}` },
      { ...anomaly, key: `application any answered ${randomUUID()}` },
      { ...anomaly, key: 'weather any answered rain' },
      { ...noVoice(), muted_until: new Date(Date.now() + HOUR).toISOString() },
      { ...noVoice(), state: 'muted', muted_until: '2020-01-31T00:00:00Z' },
      { ...noVoice(), assigned_to: t.users.sp2 },
      { ...noVoice(), assigned_to: t.users.a1 },
      { kind: 'failure', key: 'x', state: 'resolved' },
    ])
      expect(await status('sp1', body), JSON.stringify(body)).toBe(400)
    expect(await t.db.selectFrom('switchroom_alert_matters').selectAll().execute()).toEqual([])
  })

  it('by a server of the version before', async () => {
    const old = { alert_matter_sid: randomUUID(), inbox: t.sids.sp1, account_sid: t.sids.a2 }
    await t.db
      .insertInto('switchroom_alert_matters')
      .values({ ...old, alert_type: 'no-tts', mended_at: Date.now() + HOUR } as never)
      .execute()
    expect(await find('no voice')).toMatchObject({ state: 'resolved', assigned_to: null })
    await mark('sp1', { ...noVoice(), state: 'open' })
  })
})

const resolvedAt = (mended_at: number) => ({ mended_at, muted_until: null, assigned_to: null })
const at = (ms: number) => new Date(ms).toISOString()

it('returns what goes on a day after it was resolved, or has begun since', () => {
  const now = Date.now()
  const state = (since: number | null, resolved: number) =>
    ongoingState(resolvedAt(resolved), since === null ? null : at(since), now)
  expect(ongoingState(undefined, null, now)).toBe('open')
  expect(state(now - 3 * HOUR, now - HOUR)).toBe('resolved')
  expect(state(null, now - HOUR)).toBe('resolved')
  expect(state(now - HOUR, now - 2 * HOUR)).toBe('returned')
  expect(state(now - 3 * DAY, now - DAY)).toBe('returned')
})

it('is muted for a time or for good', () => {
  const now = Date.now()
  const state = (muted_until: number) =>
    alertState({ mended_at: 0, muted_until, assigned_to: null }, at(now - HOUR), now)
  expect(state(FOREVER)).toBe('muted')
  expect(state(now + 1)).toBe('muted')
  expect(state(now)).toBe('open')
})
