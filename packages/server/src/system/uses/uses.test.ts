import { randomUUID } from 'node:crypto'
import { api, type ThingUse, type UsedKind } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { createWorld, type World } from '../../../test/endpoints/lines.ts'

let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp()
  w = await createWorld(t)
})
afterAll(() => t.close())

const uses = (who: string, kind: UsedKind, sid: string) =>
  t.as(who)(api.uses.view, { params: { kind, sid } })
const of = (all: ThingUse[], kind: ThingUse['of']) => all.filter((use) => use.of === kind)
const sids = (all: ThingUse[], kind: ThingUse['of']) =>
  of(all, kind).flatMap((use) => use.items.map((item) => item.sid))

it('lists what uses a carrier, and that it blocks its deletion', async () => {
  await t.db
    .updateTable('phone_numbers')
    .set({ voip_carrier_sid: w.carrier })
    .where('phone_number_sid', '=', w.number)
    .execute()
  await t.db
    .updateTable('lcr_carrier_set_entry')
    .set({ voip_carrier_sid: w.carrier })
    .where('lcr_route_sid', '=', w.route)
    .execute()
  const all = await uses('a1', 'voip_carrier', w.carrier)
  expect(sids(all, 'phone_number')).toEqual([w.number])
  expect(sids(all, 'lcr')).toEqual([w.table])
  expect(all.every((use) => use.blocks)).toBe(true)
  expect((await t.request('a1', 'DELETE', `/VoipCarriers/${w.carrier}`)).statusCode).toBe(422)
})

it('lists what keeps a provider from being deleted', async () => {
  const all = await uses('admin', 'service_provider', w.sp)
  expect(sids(all, 'account')).toContain(w.account)
  expect(all.every((use) => use.blocks)).toBe(true)
  const { body, statusCode } = await t.request('admin', 'DELETE', `/ServiceProviders/${w.sp}`)
  expect(statusCode).toBe(422)
  const kinds = (list: { kind: string; total: number }[]) =>
    list.filter(({ total }) => total > 0).map(({ kind, total }) => [kind, total])
  expect(kinds(all)).toEqual(kinds(JSON.parse(body).used_by))
  const service_provider_sid = randomUUID()
  await t.db
    .insertInto('service_providers')
    .values({ service_provider_sid, name: 'Empty' })
    .execute()
  expect(await uses('admin', 'service_provider', service_provider_sid)).toEqual([])
  await expect(uses('sp2', 'service_provider', w.sp)).rejects.toMatchObject({ status: 404 })
})

it('shows an account only its own uses of a shared carrier', async () => {
  const number = (account_sid: string, number: string) => ({
    phone_number_sid: randomUUID(),
    number,
    account_sid,
    voip_carrier_sid: w.shared,
  })
  const [own, foreign] = [number(t.sids.a1!, '15083084801'), number(t.sids.a2!, '15083084802')]
  await t.db.insertInto('phone_numbers').values([own, foreign]).execute()
  const numbers = async (who: string) =>
    sids(await uses(who, 'voip_carrier', w.shared), 'phone_number')
  expect(await numbers('a1')).toEqual([own.phone_number_sid])
  expect((await numbers('sp1')).sort()).toEqual(
    [own.phone_number_sid, foreign.phone_number_sid].sort(),
  )
})

it('lists the accounts that call an application', async () => {
  await t.db
    .updateTable('accounts')
    .set({ siprec_hook_sid: w.application })
    .where('account_sid', '=', w.account)
    .execute()
  const all = await uses('a1', 'application', w.application)
  expect(of(all, 'account')).toMatchObject([
    { kind: 'Accounts', blocks: true, total: 1, items: [{ sid: w.account }] },
  ])
})

it('lists the applications that speak or listen through a speech service', async () => {
  const { vendor, label } = await t.db
    .selectFrom('speech_credentials')
    .select(['vendor', 'label'])
    .where('speech_credential_sid', '=', w.credential)
    .executeTakeFirstOrThrow()
  const other = { fallback_speech_recognizer_vendor: null, fallback_speech_recognizer_label: null }
  const found = async (change: Partial<Record<keyof typeof other, string | null>>) => {
    await t.db
      .updateTable('applications')
      .set({
        speech_synthesis_vendor: 'none',
        speech_recognizer_vendor: 'none',
        ...other,
        ...change,
      })
      .where('application_sid', '=', w.application)
      .execute()
    return sids(await uses('a1', 'speech_credential', w.credential), 'application')
  }
  expect(await found({})).toEqual([])
  expect(
    await found({
      fallback_speech_recognizer_vendor: vendor,
      fallback_speech_recognizer_label: label,
    }),
  ).toEqual([w.application])
  expect(
    await found({
      fallback_speech_recognizer_vendor: vendor,
      fallback_speech_recognizer_label: 'another label',
    }),
  ).toEqual([])
})

it('says what goes with an account, and what has to go first', async () => {
  const blocks = async (who: string) =>
    Object.fromEntries(
      (await uses(who, 'account', w.account)).map((use) => [use.of, use.blocks] as const),
    )
  for (const who of ['sp1', 'a1'])
    expect(await blocks(who), who).toMatchObject({
      application: true,
      phone_number: true,
      client: false,
    })
})

it('counts many, and lists some', async () => {
  const many = Array.from({ length: 250 }, (_, i) => ({
    phone_number_sid: randomUUID(),
    number: `4420794${String(i).padStart(5, '0')}`,
    account_sid: w.account,
    application_sid: w.application,
    voip_carrier_sid: w.shared,
  }))
  await t.db.insertInto('phone_numbers').values(many).execute()
  const [numbers] = of(await uses('a1', 'application', w.application), 'phone_number')
  expect(numbers!.total).toBeGreaterThanOrEqual(250)
  expect(numbers!.items).toHaveLength(20)
})

it('refuses kinds that nothing refers to', async () => {
  const answer = await t.request('a1', 'GET', `/Uses/phone_number/${w.number}`)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ issues: [{ path: ['kind'] }] })
})
