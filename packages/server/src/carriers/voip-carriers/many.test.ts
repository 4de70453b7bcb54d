import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'
import { insertMany } from '../../db/insert-many.ts'

const recorded = recordStatements()
let t: TestApp
beforeEach(async () => {
  t = await testApp({}, undefined, recorded.tracing)
})
afterEach(() => t.close())

const gateway = (ipv4: string) => ({ ipv4, inbound: 1, outbound: 1 }) as const
const add = async (who: string, name: string, body: object = {}) =>
  (
    await t.as(who)(api.voipCarriers.create, {
      body: { name, sip_gateways: [gateway('198.51.100.1')], ...body },
    })
  ).sid
const change = (who: string, body: object) => t.request(who, 'PUT', '/VoipCarriers', body)
const remove = (who: string, select: object) =>
  t.request(who, 'POST', '/VoipCarriers/Delete', { select })
const uses = (who: string, select: object) =>
  t.request(who, 'POST', '/VoipCarriers/Uses', { select })
const exported = (who: string, select: object) =>
  t.request(who, 'POST', '/VoipCarriers/Export', { select })
const these = (...voip_carrier_sids: string[]) => ({ voip_carrier_sids })
const active = async () =>
  (
    await t.db.selectFrom('voip_carriers').select(['name', 'is_active']).orderBy('name').execute()
  ).map((c) => `${c.name} ${c.is_active}`)
const historyOf = async (sid: string) =>
  (await t.as('admin')(api.audit.list, { query: { page: 1, sid } })).data
const count = async (table: 'voip_carriers' | 'sip_gateways' | 'smpp_gateways') =>
  (await t.db.selectFrom(table).select('voip_carrier_sid').execute()).length

describe('activating and deactivating', () => {
  it('changes the chosen carriers, with an audit entry each that has no secret', async () => {
    const secret = { inbound_auth_password: 'hush', trunk_type: 'auth', inbound_auth_username: 'x' }
    const north = await add('a1', 'North', secret)
    const south = await add('a1', 'South')
    await add('a1', 'West')
    const select = these(north, south, south)
    expect((await change('a1', { select, is_active: 0 })).json()).toEqual({ changed: 2 })
    expect(await active()).toEqual(['North 0', 'South 0', 'West 1'])
    const again = await change('sp1', { select, is_active: false })
    expect(again.json()).toEqual({ changed: 0 })
    const answer = await change('sp1', { select: these(north), is_active: 1 })
    expect(answer.json()).toEqual({ changed: 1 })
    // a carrier has parts, so that undoing would not be exact
    expect(answer.headers['x-undo']).toBeUndefined()
    const entries = await historyOf(north)
    expect(entries).toMatchObject([
      { action: 'update', name: 'North', before: { is_active: 0 }, after: { is_active: 1 } },
      { action: 'update', account_sid: t.sids.a1, after: { is_active: 0 } },
      { action: 'create' },
    ])
    expect(Object.keys(entries[0]!.after ?? {})).toEqual(['is_active'])
    expect(JSON.stringify(entries)).not.toContain('hush')
    expect(await historyOf(south)).toHaveLength(2)
  })

  it('changes all that match the filters, as the list shows them', async () => {
    await add('a1', 'North')
    await add('sp1', 'Shared')
    await add('b1', 'Foreign')
    await insertMany(t.db, 'voip_carriers', [{ voip_carrier_sid: randomUUID(), name: 'Nobody’s' }])
    const matching = (who: string, filters: object) =>
      change(who, { select: { matching: filters }, is_active: 0 })
    const changed = async (who: string, filters: object) => (await matching(who, filters)).json()
    expect(await changed('sp1', { service_provider_sid: t.sids.sp2 })).toEqual({ changed: 0 })
    expect(await changed('sp1', { account_sid: t.sids.b1 })).toEqual({ changed: 0 })
    expect(await changed('sp1', { ownerless: 1 })).toEqual({ changed: 0 })
    expect(await changed('admin', { ownerless: 1 })).toEqual({ changed: 1 })
    expect(await changed('a1', { filter: 'Nor' })).toEqual({ changed: 1 })
    expect(await changed('sp1', { service_provider_sid: t.sids.sp1 })).toEqual({ changed: 1 })
    expect(await active()).toEqual(['Foreign 1', 'Nobody’s 0', 'North 0', 'Shared 0'])
  })

  it('refuses carriers that saving one would refuse', async () => {
    const north = await add('a1', 'North')
    const broken = await add('a1', 'Broken')
    // as an older server may have stored it
    await t.db
      .updateTable('voip_carriers')
      .set({ requires_register: 1, register_username: 'user' })
      .where('voip_carrier_sid', '=', broken)
      .execute()
    const one = await t.request('a1', 'PUT', `/VoipCarriers/${broken}`, { is_active: 0 })
    expect(one.statusCode).toBe(400)
    const [issue] = one.json().issues
    const answer = await change('a1', { select: these(north, broken), is_active: 0 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      msg: 'Nothing was changed: 1 of 2 carriers are incomplete',
      issues: [{ path: ['voip_carriers', 'Broken'], message: issue.message }],
    })
    expect(await active()).toEqual(['Broken 1', 'North 1'])
  })
})

describe('a selection that is not all the caller’s', () => {
  it('is refused as a whole when one is foreign or gone', async () => {
    const north = await add('a1', 'North')
    const foreign = await add('b1', 'Foreign')
    const others = await add('a2', 'Others')
    for (const missing of [foreign, others, randomUUID()]) {
      const select = these(north, missing)
      for (const answer of [
        await change('a1', { select, is_active: 0 }),
        await remove('a1', select),
        await exported('a1', select),
        await uses('a1', select),
      ]) {
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toMatchObject({
          msg: 'Nothing was changed: 1 of 2 carriers no longer exist',
          issues: [{ path: ['voip_carrier_sids', missing] }],
        })
      }
    }
    expect(await active()).toEqual(['Foreign 1', 'North 1', 'Others 1'])
  })

  it('lets accounts export what their provider shares, but not change or delete it', async () => {
    const north = await add('a1', 'North')
    const shared = await add('sp1', 'Shared')
    await t.as('a2')(api.phoneNumbers.create, { body: { number: '1', voip_carrier_sid: shared } })
    const select = these(north, shared)
    for (const which of [select, { matching: {} }])
      for (const answer of [
        await change('a1', { select: which, is_active: 0 }),
        await remove('a1', which),
      ]) {
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({
          msg: 'Nothing was changed: 1 of 2 carriers belong to your service provider',
          issues: [
            {
              path: ['voip_carriers', 'Shared'],
              message: 'Only your service provider can change this carrier',
            },
          ],
        })
      }
    // nor does it learn who else uses it
    expect((await uses('a1', select)).json()).toEqual({ carriers: 2, in_use: 0 })
    expect((await uses('sp1', select)).json()).toEqual({ carriers: 2, in_use: 1 })
    expect((await exported('a1', select)).body).toContain('Shared')
    expect(await active()).toEqual(['North 1', 'Shared 1'])
  })

  it('needs a caller who may make the change', async () => {
    const select = these(await add('a1', 'North'))
    expect((await change('a1-viewer', { select, is_active: 0 })).statusCode).toBe(403)
    expect((await remove('a1-viewer', select)).statusCode).toBe(403)
    t.ctx.config.admin_carrier = true
    for (const answer of [
      await change('a1', { select, is_active: 0 }),
      await remove('a1-key', select),
    ])
      expect(answer.json()).toMatchObject({ msg: 'insufficient privileges' })
    expect(await active()).toEqual(['North 1'])
    expect((await change('sp1', { select, is_active: 0 })).statusCode).toBe(200)
  })

  it.each([
    ['nothing', {}],
    ['no carriers', { voip_carrier_sids: [] }],
    ['too many', { voip_carrier_sids: Array.from({ length: 10_001 }, () => randomUUID()) }],
    ['both', { voip_carrier_sids: [randomUUID()], matching: {} }],
    ['an unknown filter', { matching: { name: 'x' } }],
  ])('is not taken of %s', async (_, select) => {
    expect((await remove('a1', select)).statusCode).toBe(400)
    expect((await change('a1', { select, is_active: 0 })).statusCode).toBe(400)
    expect((await change('a1', { select: these(randomUUID()) })).statusCode).toBe(400)
  })
})

describe('deleting', () => {
  it('takes the gateways along, and keeps the carrier in the audit log without its secrets', async () => {
    const smpp_gateways = [{ ipv4: '198.51.100.2', inbound: 0, outbound: 1 }]
    const north = await add('a1', 'North', { smpp_gateways, smpp_password: 'hush' })
    const south = await add('a1', 'South')
    await add('a1', 'West')
    expect((await uses('a1', these(north, south))).json()).toEqual({ carriers: 2, in_use: 0 })
    expect((await remove('a1', these(north, south))).json()).toEqual({ deleted: 2 })
    expect(await active()).toEqual(['West 1'])
    expect([await count('sip_gateways'), await count('smpp_gateways')]).toEqual([1, 0])
    const [entry] = await historyOf(north)
    expect(entry).toMatchObject({
      action: 'delete',
      name: 'North',
      after: null,
      before: {
        sip_gateways: [{ ipv4: '198.51.100.1' }],
        smpp_gateways: [{ ipv4: '198.51.100.2' }],
      },
    })
    expect(JSON.stringify(entry)).not.toContain('hush')
  })

  it('is refused while one is in use, and says which by what', async () => {
    const [north, south, west, east] = [
      await add('sp1', 'North'),
      await add('sp1', 'South'),
      await add('sp1', 'West'),
      await add('sp1', 'East'),
    ]
    for (const number of ['1', '2'])
      await t.as('a1')(api.phoneNumbers.create, { body: { number, voip_carrier_sid: south } })
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '3', voip_carrier_sid: west } })
    const route = (regex: string) => ({
      regex,
      lcr_carrier_set_entries: [{ voip_carrier_sid: west }],
    })
    await t.as('sp1')(api.lcrs.create, {
      body: { name: 'out', routes: [route('^1'), route('^2')], default_carrier: east },
    })
    const select = these(north, south, west, east)
    expect((await uses('sp1', select)).json()).toEqual({ carriers: 4, in_use: 3 })
    const answer = await remove('sp1', select)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().msg).toBe('Nothing was changed: 3 of 4 carriers are in use')
    expect(
      answer
        .json()
        .issues.map((i: { path: string[]; message: string }) => `${i.path[1]}: ${i.message}`)
        .sort(),
    ).toEqual([
      'East: Used by 1 outbound route',
      'South: Used by 2 phone numbers',
      'West: Used by 1 phone number and 2 outbound routes',
    ])
    expect(await count('voip_carriers')).toBe(4)
    expect(await count('sip_gateways')).toBe(4)
    // refusals are the same one by one and together
    for (const sid of [south, west, east])
      expect((await t.request('sp1', 'DELETE', `/VoipCarriers/${sid}`)).statusCode).toBe(422)
    expect((await remove('sp1', these(north))).json()).toEqual({ deleted: 1 })
  })

  it('deletes all that match, of the caller’s own only', async () => {
    for (const name of ['North', 'South']) await add('a1', name)
    await add('b1', 'North')
    expect((await remove('sp1', { matching: { filter: 'Nor' } })).json()).toEqual({ deleted: 1 })
    expect(await active()).toEqual(['North 1', 'South 1'])
  })
})

it('exports the chosen carriers as their list does, a line for each gateway, without passwords', async () => {
  const two = { sip_gateways: [gateway('198.51.100.1'), gateway('198.51.100.2')] }
  const registers = {
    requires_register: 1,
    register_username: 'user',
    register_password: 'hush',
    register_sip_realm: 'sip.example.com',
  }
  const sids = [
    await add('a1', 'North', { ...two, ...registers }),
    await add('a1', 'South', { inbound_auth_password: 'hush' }),
  ]
  await add('a1', 'West')
  const all = await t.request('a1', 'GET', '/VoipCarriers/Export')
  const [head, ...lines] = all.body.split('\r\n')
  const chosen = await exported('a1-viewer', these(...sids))
  expect(chosen.headers['content-disposition']).toContain('carriers.csv')
  expect(chosen.body.split('\r\n')).toEqual([
    head,
    ...lines.filter((line) => /^(?:North|South)/.test(line)),
    '',
  ])
  expect(chosen.body.match(/^North/gm)).toHaveLength(2)
  expect(chosen.body).not.toContain('hush')
  const matching = await exported('a1', { matching: { filter: 'West' } })
  expect(matching.body.split('\r\n')).toEqual([
    head,
    ...lines.filter((l) => l.startsWith('West')),
    '',
  ])
})

describe('the cost', () => {
  async function addCarriers(carriers: number) {
    const rows = Array.from({ length: carriers }, () => ({
      voip_carrier_sid: randomUUID(),
      name: 'carrier',
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
    }))
    await insertMany(t.db, 'voip_carriers', rows)
    await insertMany(
      t.db,
      'sip_gateways',
      rows.map(({ voip_carrier_sid }) => ({
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid,
        ipv4: '198.51.100.1',
        inbound: 1 as const,
        outbound: 1 as const,
      })),
    )
    return these(...rows.map((c) => c.voip_carrier_sid))
  }
  const statementsOf = async (work: () => Promise<unknown>) =>
    (await recorded.during(work)).filter(
      (text) => !/switchroom_(?:sessions|session_ends|live)\b/.test(text),
    ).length

  it('is that of a batch, however many carriers are in it', async () => {
    const cost = async (carriers: number) => {
      const select = await addCarriers(carriers)
      const of = (work: () => Promise<{ statusCode: number }>) =>
        statementsOf(async () => expect((await work()).statusCode).toBe(200))
      return [
        await of(() => change('sp1', { select, is_active: 0 })),
        await of(() => uses('sp1', select)),
        await of(() => exported('sp1', select)),
        await of(() => remove('sp1', select)),
      ]
    }
    const few = await cost(2)
    expect(await cost(300)).toEqual(few)
  })

  it('changes and deletes more than a batch', async () => {
    const select = await addCarriers(1_200)
    expect((await change('sp1', { select, is_active: 0 })).json()).toEqual({ changed: 1_200 })
    expect((await remove('sp1', select)).json()).toEqual({ deleted: 1_200 })
    expect([await count('voip_carriers'), await count('sip_gateways')]).toEqual([0, 0])
  })
})
