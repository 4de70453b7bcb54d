import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { api, EVENT_TYPES, type ProgramEvent } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { raiseAlerts } from '../../../test/alerts.ts'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import { noteEvent, thingOfCall } from '../../tenants/event-notes.ts'
import { gatherEvents } from './gather.ts'
import { pruneEvents } from './prune.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let t: TestApp
let store: TestStore
/** Passes of the gatherer look at things a minute apart. */
let now: number
beforeEach(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  store = await testStore('embedded')
  Object.assign(t.ctx.stores, { calls: store.calls, alerts: store.alerts })
  now = Date.now()
})
afterEach(async () => {
  await t.close()
  await store.close()
})

const read = (who: string, query: object = {}) =>
  t.as(who)(api.events.list, { query: query as never })
function gather() {
  now += MINUTE
  return gatherEvents(t.ctx, now)
}
const shown = ({ data }: { data: ProgramEvent[] }) =>
  data.map(({ type, data }) =>
    `${type} ${'name' in data ? `${data.name} ` : ''}${'action' in data ? data.action : ''}`.trim(),
  )

const addCarrier = async (name: string, who = 'a1', more: object = {}) =>
  (await t.as(who)(api.voipCarriers.create, { body: { name, ...more } as never })).sid
const rename = (voip_carrier_sid: string, name: string) =>
  t.as('admin')(api.voipCarriers.update, { params: { voip_carrier_sid }, body: { name } as never })

let serial = 0
/** Writes a call's record, as the platform does when it ends. */
async function addCall({
  began = Date.now() - 1_000,
  seconds = 1,
  account = 'a1' as 'a1' | 'a2' | 'b1',
  call_sid = randomUUID(),
} = {}) {
  serial += 1
  const line = callLine({
    ms: began,
    ns: serial,
    tags: {
      ...{ account_sid: t.sids[account], direction: 'inbound', trunk: 'Albion', host: '10.0.0.1' },
      service_provider_sid: account === 'b1' ? t.sids.sp2 : t.sids.sp1,
      answered: 'true',
    },
    fields: {
      ...{ call_sid, sip_callid: `sip-${serial}@pbx`, from: '441', to: '442', sip_status: 200 },
      ...{ duration: seconds, terminated_at: began + seconds * 1_000 },
    },
  })
  expect(await send(store, line)).toMatchObject({ status: 204 })
  return call_sid
}

describe('events', () => {
  it('are gathered once somebody reads them, and not before', async () => {
    await addCarrier('Early')
    await gather()
    expect(await read('a1')).toEqual({ data: [], last_id: null })
    await addCarrier('Late')
    await addCall()
    await gather()
    await gather()
    const { data, last_id } = await read('a1')
    expect(shown({ data })).toEqual(['carrier.changed Late create', 'call.ended'])
    expect(last_id).toBe(data.at(-1)!.id)
  })

  it('of changes name what was changed, in their order', async () => {
    await read('a1')
    const sid = await addCarrier('One')
    for (const name of ['Two', 'Three']) await rename(sid, name)
    await t.as('a1')(api.voipCarriers.remove, { params: { voip_carrier_sid: sid } })
    await gather()
    const { data } = await read('a1')
    expect(shown({ data })).toEqual([
      'carrier.changed One create',
      'carrier.changed Two update',
      'carrier.changed Three update',
      'carrier.changed Three delete',
    ])
    expect(data[1]).toMatchObject({
      account_sid: t.sids.a1,
      data: { kind: 'voip_carrier', sid, fields: ['name'] },
    })
    const numbers = data.map(({ id }) => Number(id.slice(4)))
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i))
  })

  it('are read page by page, after an event, and by type', async () => {
    await read('a1')
    for (const name of ['One', 'Two', 'Three']) await addCarrier(name)
    await addCall()
    await gather()
    const first = await read('a1', { after: 'evt_0', limit: 2 })
    expect(shown(first)).toEqual(['carrier.changed One create', 'carrier.changed Two create'])
    const rest = await read('a1', { after: first.last_id, limit: 2 })
    expect(shown(rest)).toEqual(['carrier.changed Three create', 'call.ended'])
    expect(await read('a1', { after: rest.last_id })).toEqual({ data: [], last_id: rest.last_id })
    expect(shown(await read('a1', { limit: 1 }))).toEqual(['call.ended'])
    expect(shown(await read('a1', { types: 'call.ended,issue.opened' }))).toEqual(['call.ended'])
    // events that the filter leaves out are read as well
    expect(await read('a1', { types: 'issue.opened' })).toEqual({ data: [], last_id: rest.last_id })
    for (const query of [{ after: '7' }, { after: 'evt_x' }, { types: 'weather' }, { limit: 0 }])
      await expect(read('a1', query), JSON.stringify(query)).rejects.toMatchObject({
        status: 400,
        body: { issues: [{ path: expect.arrayContaining(Object.keys(query)) }] },
      })
  })

  it('are seen by who may see what they are about', async () => {
    for (const who of ['admin', 'sp1', 'sp2', 'a1', 'a2', 'b1']) await read(who)
    await addCarrier('of a1')
    await addCarrier('of sp1', 'sp1')
    await addCarrier('of b1', 'b1')
    await addCall({ account: 'a2' })
    await gather()
    const seen = async (who: string, query = {}) => shown(await read(who, query)).sort()
    const [a1, sp1, b1] = ['a1', 'sp1', 'b1'].map((name) => `carrier.changed of ${name} create`)
    expect(await seen('a1')).toEqual([a1])
    expect(await seen('a1-viewer')).toEqual([a1])
    expect(await seen('a2')).toEqual(['call.ended'])
    expect(await seen('sp1')).toEqual(['call.ended', a1, sp1])
    expect(await seen('sp2')).toEqual([b1])
    expect(await seen('admin')).toEqual(['call.ended', a1, b1, sp1])
    expect(await seen('sp1', { account_sid: t.sids.a1 })).toEqual([a1])
    expect(await seen('sp1', { account_sid: t.sids.b1 })).toEqual([])
  })

  it('are no more than the kinds of an API key cover', async () => {
    await read('a1')
    const { token } = await t.as('a1')(api.apiKeys.create, {
      body: { account_sid: t.sids.a1, kinds: ['calls'] } as never,
    })
    await addCarrier('Albion')
    await addCall()
    await gather()
    const answer = await t.app.inject({
      url: '/api/v1/Events',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(shown(answer.json())).toEqual(['call.ended'])
  })

  it('are deleted with their account, after a week, and if there are too many', async () => {
    await read('sp1')
    for (const name of ['One', 'Two', 'Three']) await addCarrier(name)
    await addCarrier('Other', 'a2')
    await gather()
    await pruneEvents(t.db, now, 2)
    expect(shown(await read('sp1')).map((text) => text.split(' ')[1])).toEqual([
      ...['Two', 'Three', 'Other'],
    ])
    const { sid: account_sid } = await t.as('sp1')(api.accounts.create, {
      body: { name: 'short-lived', service_provider_sid: t.sids.sp1 },
    })
    await t.as('sp1')(api.voipCarriers.create, { body: { name: 'Four', account_sid } as never })
    await gather()
    expect((await read('sp1')).data).toHaveLength(4)
    await t.as('sp1')(api.accounts.remove, { params: { account_sid }, body: {} })
    expect((await read('sp1')).data).toHaveLength(3)
    now += 8 * DAY
    await pruneEvents(t.db, now)
    const tables = ['switchroom_event_readers', 'switchroom_event_states'] as const
    for (const table of tables)
      expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect((await read('sp1')).data).toEqual([])
  })
})

describe.each(storeKinds)('with %s as the store of calls', (kind) => {
  beforeEach(async () => {
    if (kind === 'embedded') return
    await store.close()
    store = await testStore(kind)
    Object.assign(t.ctx.stores, { calls: store.calls, alerts: store.alerts })
  })

  it('events of every kind are told', async () => {
    await read('a1')
    await gather()
    const voip_carrier_sid = await addCarrier('Albion', 'a1', {
      ...{ requires_register: 1, register_username: 'u', register_password: 'canary-password' },
      register_sip_realm: 'example.com',
    })
    await t.as('a1')(api.phoneNumbers.create, {
      body: { number: '441632960001', voip_carrier_sid } as never,
    })
    await t.as('a1')(api.lcrs.create, { body: { name: 'Routes', account_sid: t.sids.a1 } as never })
    await addCall()
    const call_sid = randomUUID()
    const of = { account_sid: t.sids.a1, thing: thingOfCall(call_sid) }
    await noteEvent(t.db, 'recording.ready', { ...of, data: { call_sid, format: 'mp3' } })
    await noteEvent(t.db, 'transcript.ready', { ...of, data: { call_sid } })
    const lost = JSON.stringify({ status: 'fail', reason: '403 Forbidden' })
    await t.db.updateTable('voip_carriers').set({ register_status: lost }).execute()
    await raiseAlerts(store, Date.now() - 1_000, {
      ...{ account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 },
      ...{ alert_type: 'no-carrier', message: 'https://u:canary-password@h.example has none' },
    })
    await gather()
    await t.as('a1')(api.accountIssues.mark, {
      params: { account_sid: t.sids.a1 },
      body: { kind: 'alert', key: 'no-carrier', state: 'resolved' },
    })
    await gather()
    const { data } = await read('a1')
    expect([...new Set(data.map(({ type }) => type))].sort()).toEqual([...EVENT_TYPES].sort())
    expect(JSON.stringify(data)).not.toContain('canary-password')
    const of1 = <K extends ProgramEvent['type']>(type: K) =>
      data.find((event) => event.type === type)!.data
    expect(of1('registration.lost')).toEqual({
      ...{ voip_carrier_sid, name: 'Albion', reason: '403 Forbidden' },
    })
    expect(of1('recording.ready')).toEqual({ call_sid, format: 'mp3' })
    expect(of1('issue.resolved')).toMatchObject({ kind: 'alert', key: 'no-carrier' })
    // its own inbox is nobody else's
    expect((await read('admin', { types: 'issue.opened' })).data).toEqual([])
    // nothing is sent twice
    const count = data.length
    await gather()
    expect((await read('a1')).data).toHaveLength(count)
  })

  it('calls are told once, however long they were and late they come', async () => {
    await read('a1')
    now = Date.now()
    const long = await addCall({ began: now - 5 * 3_600_000, seconds: 5 * 3_600 })
    const short = await addCall()
    // each pass reads another part of the day before
    for (let pass = 0; pass < 40; pass++) await gatherEvents(t.ctx, now + 1)
    const { data } = await read('a1')
    expect(data.map((event) => 'call_sid' in event.data && event.data.call_sid).sort()).toEqual(
      [long, short].sort(),
    )
  })
})

describe('calls', () => {
  it('that ended before anybody read are left', async () => {
    await addCall({ began: Date.now() - 120_000 })
    await read('a1')
    await gather()
    expect((await read('a1')).data).toEqual([])
  })
})

it('is done by one process at a time, and another goes on when it is killed', async () => {
  await read('a1')
  await addCarrier('One')
  await gather()
  // as a killed process leaves it
  const held = now + MINUTE
  await t.db
    .updateTable('switchroom_event_watch')
    .set({ leased_until: held, holder: 'x' })
    .execute()
  await addCarrier('Two')
  await gatherEvents(t.ctx, held - 1)
  expect(shown(await read('a1'))).toEqual(['carrier.changed One create'])
  await Promise.all([1, 2, 3].map(() => gatherEvents(t.ctx, held)))
  expect(shown(await read('a1'))).toEqual([
    'carrier.changed One create',
    'carrier.changed Two create',
  ])
})

describe('a stream', () => {
  const open: AbortController[] = []
  afterEach(() => {
    for (const one of open.splice(0)) one.abort()
    // one that the client keeps for later would hold up the end
    t.app.server.closeAllConnections()
  })

  async function follow(token: string, headers: Record<string, string> = {}, query = '') {
    if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    const leaving = new AbortController()
    open.push(leaving)
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/Events${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    })
    const state = { answer, text: '', hasEnded: false, leave: () => leaving.abort() }
    if (answer.ok)
      void (async () => {
        const decoder = new TextDecoder()
        for await (const chunk of answer.body!) state.text += decoder.decode(chunk)
        state.hasEnded = true
      })().catch(() => undefined)
    return state
  }
  const key = async () =>
    t.as('a1')(api.apiKeys.create, { body: { account_sid: t.sids.a1 } as never })

  it('tells of what happens, and goes on after the last event that was read', async () => {
    const { token } = await key()
    const stream = await follow(token)
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await expect.poll(() => stream.text).toContain('retry: 3000\n\n')
    await addCarrier('One')
    await gather()
    await expect.poll(() => stream.text).toContain('event: carrier.changed\ndata: {')
    const id = /^id: (.*)$/m.exec(stream.text)![1]!
    stream.leave()
    await addCarrier('Two')
    await addCarrier('Foreign', 'a2')
    await gather()
    const next = await follow(token, { 'last-event-id': id })
    await expect.poll(() => next.text).toContain('"name":"Two"')
    expect(next.text).not.toContain('"name":"One"')
    await addCarrier('Three')
    await gather()
    await expect.poll(() => next.text).toContain('"name":"Three"')
    expect(next.text.match(/^id: /gm)).toHaveLength(2)
    const events = [...next.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!))
    expect((await read('a1', { after: id })).data).toEqual(events)
  })

  it('ends with the key', async () => {
    const { token, sid } = await key()
    const stream = await follow(token)
    await expect.poll(() => stream.text).toContain('retry')
    await t.as('a1')(api.apiKeys.remove, { params: { api_key_sid: sid } })
    await expect.poll(() => stream.hasEnded).toBe(true)
    expect((await follow(token)).answer.status).toBe(401)
  })

  it('ends when the server stops', async () => {
    const stream = await follow((await key()).token)
    await expect.poll(() => stream.text).toContain('retry')
    t.ctx.health.draining = true
    await expect.poll(() => stream.hasEnded).toBe(true)
  })

  it('is one of few of its caller', async () => {
    const { token } = await key()
    const streams: Awaited<ReturnType<typeof follow>>[] = []
    for (let i = 0; i < 5; i++) {
      streams.push(await follow(token))
      await expect.poll(() => streams.at(-1)!.text).toContain('retry')
    }
    const refused = await follow(token)
    expect(refused.answer.status).toBe(429)
    expect((await follow((await key()).token)).answer.status).toBe(200)
    streams[0]!.leave()
    await expect.poll(async () => (await follow(token)).answer.status).toBe(200)
  })
})
