import {
  api,
  type CustomerReport,
  MAX_CUSTOMER_REPORT_LINKS,
  TRUNK_REPORT_ENDED,
  timeOf,
  zoneClock,
} from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'

const DAY = 86_400_000
const ZONE = 'America/New_York'
/** A call as it is sent to the store. */
type Sample = {
  account: string
  ms: number
  answered: boolean | undefined
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  status: number
  seconds: number
  application: string | undefined
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const NOW = Date.now()
/** Ended some days ago, of a length that is no month. */
const PERIOD = { from: dayOf(NOW - 12 * DAY), until: dayOf(NOW - 3 * DAY), time_zone: ZONE }
const SPAN = timeOf(zoneClock(ZONE), PERIOD)
const CALLERS = ['15085550147', '+15085550147', '442079460958', 'sip:jane@pbx.example.com']
const OWN = '15085550100'

let t: TestApp
let store: TestStore
let samples: Sample[]
let application: string
const calls = () => samples.filter(({ account }) => account === 'a1')
const within = ({ from, to }: { from: number; to: number }) =>
  calls().filter(({ ms }) => ms >= from && ms < to)

/** As many as make every figure differ, at both ends of the period and around it. */
function drawn(): Sample[] {
  const of = (i: number): Sample => ({
    account: i % 7 === 6 ? 'a2' : 'a1',
    ms: SPAN.from + i * 4_321_000 - 6 * DAY,
    answered: i % 11 === 10 ? undefined : i % 3 > 0,
    direction: i % 4 > 1 ? 'outbound' : 'inbound',
    from: CALLERS[i % CALLERS.length]!,
    to: i % 4 > 1 ? `3315550${1000 + (i % 13)}` : OWN,
    status: i % 3 > 0 ? 200 : [486, 480, 503][i % 9 ? 0 : i % 2]!,
    seconds: (i * 37) % 240,
    application: i % 5 > 1 ? application : undefined,
  })
  const edges = [SPAN.from - 1, SPAN.from, SPAN.to - 1, SPAN.to].map((ms, i) => ({
    ...of(i),
    ms,
    account: 'a1',
  }))
  return [...Array.from({ length: 420 }, (_, i) => of(i)), ...edges].filter(({ ms }) => ms < NOW)
}

const lineOf = (call: Sample, i: number) =>
  callLine({
    ms: call.ms,
    ns: i,
    tags: {
      account_sid: call.account === 'a1' ? t.sids.a1 : t.sids.a2,
      service_provider_sid: t.sids.sp1,
      ...(call.answered !== undefined && { answered: String(call.answered) }),
      direction: call.direction,
      trunk: 'North',
      host: '10.0.0.1',
    },
    fields: {
      call_sid: `call-${i}`,
      sip_callid: `leg-${i}`,
      from: call.from,
      to: call.to,
      sip_status: call.status,
      duration: call.answered ? call.seconds : 0,
      terminated_at: call.ms + call.seconds * 1_000,
      ...(call.answered && { answered_at: call.ms + 1_500 }),
      ...(call.application && { application_sid: call.application }),
    },
  })

async function world(kind: (typeof storeKinds)[number]) {
  t = await testApp({ SWITCHROOM_TELEMETRY_DAYS: '90' })
  store = await testStore(kind, 90)
  t.ctx.stores.calls = store.calls
  application = (
    await t.as('a1')(api.applications.create, {
      body: {
        ...{ name: 'Reception', account_sid: t.sids.a1 },
        call_hook: { url: 'https://example.com/a', method: 'POST' },
        call_status_hook: { url: 'https://example.com/b', method: 'POST' },
      },
    })
  ).sid
  await t.as('a1')(api.phoneNumbers.create, { body: { number: OWN, account_sid: t.sids.a1 } })
  samples = drawn()
  const lines = samples.map(lineOf).join('\n')
  expect(await send(store, lines)).toMatchObject({ status: 204 })
}
const end = async () => {
  await store.close()
  await t.close()
}

const report = (who = 'a1', query: object = PERIOD, account_sid = t.sids.a1) =>
  t.as(who)(api.customerReports.view, { params: { account_sid }, query: query as typeof PERIOD })

/** The figures of calls, counted one by one. */
function counted(some: readonly Sample[]) {
  const answered = some.filter((call) => call.answered === true)
  return {
    calls: some.length,
    answered: answered.length,
    not_answered: some.filter((call) => call.answered === false).length,
    seconds: answered.reduce((sum, { seconds }) => sum + seconds, 0),
    timed: answered.length,
  }
}
const directions = (some: readonly Sample[]) => ({
  inbound: some.filter(({ direction }) => direction === 'inbound').length,
  outbound: some.filter(({ direction }) => direction === 'outbound').length,
})
const grouped = <K>(some: readonly Sample[], keyOf: (call: Sample) => K) =>
  new Map([...Map.groupBy(some, keyOf)].map(([key, of]) => [key, of.length]))

describe.each(storeKinds)('in %s', (kind) => {
  beforeAll(() => world(kind))
  afterAll(end)

  it('counts to the unit what was sent', async () => {
    const found: CustomerReport = await report()
    const own = within(SPAN)
    expect(found).toMatchObject({ ...PERIOD, account_name: 'a1', is_running: false, unit: 'day' })
    expect(found.total).toEqual({ ...counted(own), ...directions(own) })
    const ten = 10 * DAY
    const before = within({ from: SPAN.from - ten, to: SPAN.from })
    expect(found.before).toEqual({
      from: dayOf(Date.parse(PERIOD.from) - ten),
      until: dayOf(Date.parse(PERIOD.from) - DAY),
      total: { ...counted(before), ...directions(before) },
    })
    const clock = zoneClock(ZONE)
    const days = Map.groupBy(own, ({ ms }) => dayOf(clock(ms)))
    expect(found.times).toHaveLength(10)
    for (const { date, ...counts } of found.times)
      expect(counts, date).toEqual(counted(days.get(date) ?? []))
    const hours = grouped(own, ({ ms }) => {
      const local = new Date(clock(ms))
      return ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours()
    })
    expect(found.hours).toEqual(Array.from({ length: 168 }, (_, i) => hours.get(i) ?? 0))
    const failed = own.filter(({ answered }) => answered === false)
    expect(new Map(found.causes.map((c) => [c.sip_status, c.calls]))).toEqual(
      grouped(failed, ({ status }) => status),
    )
    expect(new Map(found.applications.map((a) => [a.name, a.calls]))).toEqual(
      grouped(own, (call) => (call.application ? 'Reception' : null)),
    )
    const callers = grouped(
      own.filter(({ direction }) => direction === 'inbound'),
      ({ from }) => from.replace(/^sip:|@.*|^\+/g, ''),
    )
    expect(new Map(found.callers.map((c) => [c.number.replace('+', ''), c.calls]))).toEqual(callers)
    expect(found.are_numbers_of_newest).toBe(false)
  })

  it('agrees with recent calls, the dashboard and its own list and file', async () => {
    const { total, start, end: until, causes } = await report()
    const params = { account_sid: t.sids.a1 }
    const as = t.as('a1')
    const figures = await as(api.accountRecentCalls.figures, {
      params,
      query: { start, end: until, time_zone: ZONE },
    })
    expect(total).toMatchObject({ calls: figures.calls, answered: figures.answered })
    expect(total.seconds).toBe(figures.seconds)
    expect(causes).toEqual(figures.failures)
    const recent = await as(api.accountRecentCalls.list, {
      params,
      query: { start, end: until, page: 1, count: 1 },
    })
    expect(recent.total).toBe(total.calls)
    const listed = await as(api.customerReports.calls, {
      params,
      query: { ...PERIOD, page: 2, count: 50 },
    })
    expect(listed).toMatchObject({ total: total.calls, page: '2', page_size: '50' })
    expect(listed.data).toHaveLength(50)
    const query = new URLSearchParams(PERIOD)
    const file = await t.request(
      'a1',
      'GET',
      `/Accounts/${t.sids.a1}/CustomerReport/Calls/Export?${query}`,
    )
    expect(file.headers['content-disposition']).toBe('attachment; filename="calls.csv"')
    expect(file.body.trim().split('\r\n')).toHaveLength(total.calls + 1)
  })
})

describe('a report', () => {
  beforeAll(() => world('embedded'))
  afterAll(end)
  beforeEach(() => t.db.deleteFrom('switchroom_customer_report_links').execute())

  const link = (who: string, more: object = {}, account_sid = t.sids.a1) =>
    t.as(who)(api.customerReports.createLink, {
      params: { account_sid },
      body: { ...PERIOD, label: 'Aldermoor', days: 7, ...more },
    })
  const links = (who = 'a1') =>
    t.as(who)(api.customerReports.links, { params: { account_sid: t.sids.a1 } })
  const open = (token: string, path = '', more: object = {}) =>
    t.request('', 'POST', `/CustomerReport${path}`, { token, ...more })
  const opened = async (token: string) => (await open(token)).json()

  it('of a month is compared with the month before, as much of it as has passed', async () => {
    const clock = zoneClock('UTC')
    const first = `${dayOf(NOW).slice(0, 8)}01`
    const at = new Date(first)
    const last = dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0))
    const found = await report('a1', { from: first, until: last, time_zone: 'UTC' })
    expect(found.is_running).toBe(true)
    const earlier = {
      from: dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1)),
      until: dayOf(Date.parse(first) - DAY),
    }
    expect(found.before).toMatchObject(earlier)
    const passed = Date.parse(found.end) + 1 - Date.parse(found.start)
    const whole = timeOf(clock, earlier)
    const to = Math.min(whole.to, whole.from + passed)
    expect(found.before!.total.calls).toBe(within({ from: whole.from, to }).length)
  })

  it('of a long period is by month, and says since when calls are kept', async () => {
    const found = await report('a1', {
      from: dayOf(NOW - 200 * DAY),
      until: dayOf(NOW),
      time_zone: 'UTC',
    })
    expect(found.unit).toBe('month')
    expect(found.times.reduce((sum, { calls: n }) => sum + n, 0)).toBe(found.total.calls)
    expect(found.before).toBe(null)
    const kept = Date.parse(found.kept_since!)
    expect(kept).toBeGreaterThan(NOW - 91 * DAY)
    expect(kept).toBeLessThan(NOW - 88 * DAY)
  })

  it('without calls has nothing but zeros', async () => {
    const found = await report('a1', { from: '2026-01-01', until: '2026-01-02' })
    expect(found.total).toMatchObject({ calls: 0, inbound: 0, seconds: 0 })
    expect(found.times).toHaveLength(2)
    expect(found).toMatchObject({ causes: [], applications: [], callers: [], called: [] })
  })

  it.each([
    [{ from: '2026-11-31', until: '2026-12-01' }, 'from'],
    [{ from: '2026-11-02', until: '2026-11-01' }, 'until'],
    [{ from: '2015-11-02', until: '2026-11-01' }, 'until'],
    [{ from: '2126-11-02', until: '2126-11-03' }, 'from'],
    [{ from: '2026-11-01', until: '2026-11-02', time_zone: 'Mars/Base' }, 'time_zone'],
  ])('is refused for %o', async (query, field) => {
    const path = `/Accounts/${t.sids.a1}/CustomerReport?${new URLSearchParams(query)}`
    const answer = await t.request('a1', 'GET', path)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path).toEqual([field])
  })

  it('says that the store cannot be reached', async () => {
    const { calls: working } = t.ctx.stores
    const fails = async () => {
      throw new StoreUnavailable('The store of call records cannot be reached')
    }
    t.ctx.stores.calls = { ...working, figures: fails, list: fails }
    try {
      await expect(report('a1', { ...PERIOD, from: PERIOD.until })).rejects.toMatchObject({
        status: 503,
      })
    } finally {
      t.ctx.stores.calls = working
    }
  })

  it('is seen by its account, its provider and administrators, and set up by those who may write', async () => {
    for (const who of ['a1', 'a1-viewer', 'sp1', 'admin'])
      expect((await report(who)).account_name, who).toBe('a1')
    for (const who of ['a2', 'b1', 'sp2'])
      await expect(report(who), who).rejects.toMatchObject({ status: 404 })
    await expect(link('a1-viewer')).rejects.toMatchObject({ status: 403 })
    await expect(link('a2')).rejects.toMatchObject({ status: 404 })
    expect(await links('a1-viewer')).toEqual([])
    const { sid } = await link('sp1')
    expect((await t.request('a2', 'DELETE', `/CustomerReportLinks/${sid}`)).statusCode).toBe(404)
    expect((await t.request('a1', 'DELETE', `/CustomerReportLinks/${sid}`)).statusCode).toBe(204)
  })

  it('opens by the token of a link alone, with numbers shortened but for its own', async () => {
    const { sid, token } = await link('a1')
    const found = await opened(token)
    expect(found.total).toEqual((await report()).total)
    expect(found).toMatchObject({ hides_numbers: true, brand: null, account_name: 'a1' })
    const page = (await open(token, '/Calls', { page: 1, count: 500 })).json()
    expect(page.total).toBe(found.total.calls)
    const file = await open(token, '/Calls/Export')
    expect(file.headers['content-disposition']).toContain('calls.csv')
    expect(file.body.trim().split('\r\n')).toHaveLength(found.total.calls + 1)
    for (const text of [JSON.stringify(found), JSON.stringify(page), file.body]) {
      for (const secret of ['5085550147', '2079460958', 'jane', '33155501', t.sids.a1])
        expect(text).not.toContain(secret)
      expect(text).toContain('+1xxxxxxxx47')
    }
    expect(JSON.stringify(page)).toContain(OWN)
    expect(await links()).toMatchObject([{ customer_report_link_sid: sid, opens: 1 }])
    const rows = await t.db.selectFrom('switchroom_customer_report_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    const log = await t.db.selectFrom('switchroom_audit').selectAll().execute()
    expect(log.filter((entry) => entry.sid === sid)).toMatchObject([
      { action: 'create', kind: 'customer_report_link', account_sid: t.sids.a1 },
    ])
    expect(JSON.stringify(log)).not.toContain(token)
  })

  it('shows numbers as they are where the link says so', async () => {
    const { token } = await link('a1', { hides_numbers: false })
    const { data } = (await open(token, '/Calls', { page: 1, count: 500 })).json()
    expect(JSON.stringify(data)).toContain('442079460958')
  })

  it('does not open by a link that has ended, was revoked, or whose account has moved or is gone', async () => {
    const refused = async (token: string) => {
      for (const path of ['', '/Calls', '/Calls/Export']) {
        const answer = await open(token, path, { page: 1, count: 1 })
        expect(answer.statusCode, path).toBe(404)
        expect(answer.json().msg).toBe(TRUNK_REPORT_ENDED)
      }
    }
    await refused('x'.repeat(43))
    const { sid, token } = await link('a1')
    const set = (values: object) =>
      t.db.updateTable('switchroom_customer_report_links').set(values).execute()
    await set({ ends_at: '2020-01-01T00:00:00.000Z' })
    await refused(token)
    await set({ ends_at: '2099-01-01T00:00:00.000Z' })
    expect((await open(token)).statusCode).toBe(200)
    const account = (values: object) =>
      t.db.updateTable('accounts').set(values).where('account_sid', '=', t.sids.a1).execute()
    await account({ is_active: 0 })
    await refused(token)
    await account({ is_active: 1, service_provider_sid: t.sids.sp2 })
    await refused(token)
    expect(await links('admin')).toEqual([])
    await account({ service_provider_sid: t.sids.sp1 })
    expect((await open(token)).statusCode).toBe(200)
    await t.request('a1', 'DELETE', `/CustomerReportLinks/${sid}`)
    await refused(token)
  })

  it('of a deleted account is gone with all that belongs to it', async () => {
    const as = t.as('sp1')
    const { sid: account_sid } = await as(api.accounts.create, {
      body: { name: 'Short-lived', service_provider_sid: t.sids.sp1 },
    })
    const { token } = await link('sp1', {}, account_sid)
    await as(api.customerReports.updateMail, {
      params: { account_sid },
      body: { recipients: ['jane@example.com'] },
    })
    expect((await open(token)).statusCode).toBe(200)
    await as(api.accounts.remove, { params: { account_sid }, body: {} })
    expect((await open(token)).statusCode).toBe(404)
    for (const table of [
      'switchroom_customer_report_links',
      'switchroom_report_mails',
      'switchroom_report_recipients',
    ] as const)
      expect(
        await t.db.selectFrom(table).selectAll().where('account_sid', '=', account_sid).execute(),
      ).toEqual([])
  })

  it(`has at most ${MAX_CUSTOMER_REPORT_LINKS} links at a time`, async () => {
    const made = await Promise.allSettled(
      Array.from({ length: MAX_CUSTOMER_REPORT_LINKS + 3 }, () => link('a1')),
    )
    expect(made.filter((m) => m.status === 'fulfilled')).toHaveLength(MAX_CUSTOMER_REPORT_LINKS)
    await expect(link('a1')).rejects.toMatchObject({
      status: 422,
      message: 'An account can have at most 20 links. Revoke one first.',
    })
  })

  it('has the brand of the provider', async () => {
    await t.as('sp1')(api.brands.update, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { name: 'Wessex Voice', color: '#1a4fd6' },
    })
    const { token } = await link('a1')
    expect((await opened(token)).brand).toMatchObject({ name: 'Wessex Voice', logo_light: null })
  })

  it('is limited by network, whatever the token', async () => {
    const ask = () =>
      t.app.inject({
        method: 'POST',
        url: '/api/v1/CustomerReport',
        remoteAddress: '198.51.100.9',
        payload: { token: 'x' },
      })
    let refused = await ask()
    // twice as many as there may be, in case a new minute begins
    for (let i = 0; i < 120 && refused.statusCode === 404; i++) refused = await ask()
    expect(refused.statusCode).toBe(429)
  })
})
