import { api, MAX_TRUNK_REPORT_LINKS, TRUNK_REPORT_ENDED } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { memory } from '../../http/memory.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const DAY = 86_400_000
const addCarrier = async (who: string, name: string, body: object = {}) =>
  (await t.as(who)(api.voipCarriers.create, { body: { name, ...body } })).sid
const make = (who: string, voip_carrier_sid: string, days = 7, label = 'Carrier support') =>
  t.as(who)(api.trunkReportLinks.create, { params: { voip_carrier_sid }, body: { label, days } })
const list = (who: string, voip_carrier_sid: string) =>
  t.as(who)(api.trunkReportLinks.list, { params: { voip_carrier_sid } })
const revoke = (who: string, trunk_report_link_sid: string) =>
  t.as(who)(api.trunkReportLinks.revoke, { params: { trunk_report_link_sid } })
const open = (token: string) => t.request('', 'POST', '/TrunkReport', { token })
const end = (sid: string, ends_at: string) =>
  t.db
    .updateTable('switchroom_trunk_report_links')
    .set({ ends_at })
    .where('trunk_report_link_sid', '=', sid)
    .execute()
const ENDED = '2020-01-01T00:00:00.000Z'

it('opens the report with its token alone, which is stored nowhere', async () => {
  const carrier = await addCarrier('a1', 'north')
  const { sid, token } = await make('a1', carrier, 14)
  expect(token).toMatch(/^[\w-]{43}$/)
  const [before] = await list('a1', carrier)
  expect(before).toMatchObject({ label: 'Carrier support', made_by: 'a1', opens: 0 })
  expect(before!.last_opened_at).toBeNull()
  expect(Date.parse(before!.ends_at) - Date.parse(before!.created_at)).toBe(14 * DAY)
  expect((await open(token)).json()).toMatchObject({ carrier: 'north', ends_at: before!.ends_at })
  // again within the minute
  await open(token)
  const [after] = await list('a1-viewer', carrier)
  expect(after).toMatchObject({ trunk_report_link_sid: sid, opens: 1 })
  expect(Date.parse(after!.last_opened_at!)).toBeGreaterThan(Date.now() - 60_000)

  const log = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'trunk_report_link' } })
  expect(log.data).toMatchObject([{ action: 'create', sid, name: 'Carrier support', actor: 'a1' }])
  const stored = JSON.stringify([
    await t.db.selectFrom('switchroom_trunk_report_links').selectAll().execute(),
    await t.db.selectFrom('switchroom_audit').selectAll().execute(),
    t.lines,
  ])
  expect(stored).not.toContain(token)
})

describe('answers the same to a token', () => {
  const same = async (...tokens: string[]) => {
    const unknown = await open('A'.repeat(43))
    expect(unknown.statusCode).toBe(404)
    const told = ({ msg, code }: Record<string, unknown>) => ({ msg, code })
    expect(unknown.json().msg).toBe(TRUNK_REPORT_ENDED)
    for (const token of tokens) {
      const answer = await open(token)
      expect(answer.statusCode).toBe(404)
      expect(told(answer.json())).toEqual(told(unknown.json()))
    }
  }

  it('that never was, has ended or was revoked', async () => {
    const carrier = await addCarrier('a1', 'north')
    const ended = await make('a1', carrier)
    const revoked = await make('a1', carrier)
    // after the others are made, which deletes ended links
    await end(ended.sid, ENDED)
    expect((await open(revoked.token)).statusCode).toBe(200)
    await revoke('a1', revoked.sid)
    await same('', 'x', `${revoked.token}x`, ended.token, revoked.token)
    const log = await t.as('a1')(api.audit.list, { query: { page: 1, sid: revoked.sid } })
    expect(log.data.map((entry) => entry.action)).toEqual(['delete', 'create'])
  })

  it('of a carrier that was deleted, alone or with its account', async () => {
    const alone = await addCarrier('a1', 'north')
    const first = await make('a1', alone)
    await t.as('a1')(api.voipCarriers.remove, { params: { voip_carrier_sid: alone } })
    const { sid: account_sid } = await t.as('sp1')(api.accounts.create, {
      body: { name: 'fresh', service_provider_sid: t.sids.sp1 },
    })
    const second = await make('sp1', await addCarrier('sp1', 'south', { account_sid }))
    await t.as('sp1')(api.accounts.remove, { params: { account_sid }, body: {} })
    await same(first.token, second.token)
    expect(await t.db.selectFrom('switchroom_trunk_report_links').selectAll().execute()).toEqual([])
  })

  it('of a carrier that was given to somebody else', async () => {
    const carrier = await addCarrier('sp1', 'north', { account_sid: t.sids.a1 })
    const { token } = await make('a1', carrier)
    await t.as('sp1')(api.voipCarriers.update, {
      params: { voip_carrier_sid: carrier },
      body: { account_sid: t.sids.a2 },
    })
    await same(token)
    expect(await list('a2', carrier)).toEqual([])
  })
})

it('is made and revoked by those who may change the carrier', async () => {
  const shared = await addCarrier('sp1', 'shared')
  const own = await addCarrier('a1', 'north')
  const refused = (who: string, sid: string) =>
    t.request(who, 'POST', `/VoipCarriers/${sid}/TrunkReportLinks`, { label: 'x', days: 1 })
  for (const [who, sid, status] of [
    ['a1', shared, 404],
    ['b1', own, 404],
    ['sp2', own, 404],
    ['a1-viewer', own, 403],
    ['', own, 401],
  ] as const)
    expect((await refused(who, sid)).statusCode, who).toBe(status)
  const { sid } = await make('a1', own)
  // an account does not learn whom its provider tells of its carriers
  expect(
    (await t.request('a1', 'GET', `/VoipCarriers/${shared}/TrunkReportLinks`)).statusCode,
  ).toBe(404)
  for (const [who, status] of [
    ['a2', 404],
    ['a1-viewer', 403],
    ['sp1', 204],
  ] as const)
    expect((await t.request(who, 'DELETE', `/TrunkReportLinks/${sid}`)).statusCode, who).toBe(
      status,
    )
})

it('is not made by an API key that ends sooner or has limits', async () => {
  const carrier = await addCarrier('a1', 'north')
  const limited = await t.keyOf('a1', { networks: ['127.0.0.0/8'] })
  await expect(make(limited, carrier)).rejects.toMatchObject({ status: 403 })
  await expect(make('a1-key', carrier)).resolves.toMatchObject({ token: expect.any(String) })
})

it.each([
  [{ label: ' ', days: 1 }, 'label'],
  [{ label: 'x'.repeat(101), days: 1 }, 'label'],
  [{ label: 'x', days: 31 }, 'days'],
  [{ label: 'x', days: 0 }, 'days'],
  [{ label: 'x', days: 1.5 }, 'days'],
  [{ label: 'x' }, 'days'],
])('is not made with %o', async (body, field) => {
  const carrier = await addCarrier('a1', 'north')
  const answer = await t.request('a1', 'POST', `/VoipCarriers/${carrier}/TrunkReportLinks`, body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().issues[0].path).toEqual([field])
})

it(`counts to ${MAX_TRUNK_REPORT_LINKS} per carrier, without those that have ended`, async () => {
  const carrier = await addCarrier('a1', 'north')
  const other = await addCarrier('a1', 'south')
  // at the same time: none may pass the limit
  const made = await Promise.allSettled(
    Array.from({ length: MAX_TRUNK_REPORT_LINKS + 3 }, () => make('a1', carrier)),
  )
  const done = made.filter((m) => m.status === 'fulfilled')
  expect(done).toHaveLength(MAX_TRUNK_REPORT_LINKS)
  await expect(make('a1', carrier)).rejects.toMatchObject({
    status: 422,
    message: 'A carrier can have at most 20 links. Revoke one first.',
  })
  await make('a1', other)
  await end(done[0]!.value.sid, ENDED)
  expect(await list('a1', carrier)).toHaveLength(MAX_TRUNK_REPORT_LINKS)
  await make('a1', carrier)
  // the one that has ended went away
  expect(await list('a1', carrier)).toHaveLength(MAX_TRUNK_REPORT_LINKS)
})

it('is limited by network, whatever the token, in all processes', async () => {
  const { token } = await make('a1', await addCarrier('a1', 'north'))
  const from = (remoteAddress: string, sent: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/v1/TrunkReport',
      remoteAddress,
      payload: { token: sent },
    })
  let refused = await from('198.51.100.7', 'x')
  // twice as many as there may be, in case a new minute begins
  for (let i = 0; i < 120 && refused.statusCode === 404; i++)
    refused = await from('198.51.100.7', 'x')
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  t.ctx.memory = memory(t.ctx.databaseUse)
  expect((await from('198.51.100.7', token)).statusCode).toBe(429)
  expect((await from('198.51.100.8', token)).statusCode).toBe(200)
})
