import { randomUUID } from 'node:crypto'
import { api, type ImportProgress } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertMany } from '../src/db/insert-many.ts'
import { type TestApp, testApp } from './app.ts'

// Limits of an account with APPLY_JAMBONZ_DB_LIMITS, however a resource is added.

let t: TestApp
beforeEach(async () => {
  t = await testApp()
  t.ctx.config.apply_limits = true
})
afterEach(() => t.close())

const hook = { url: 'https://example.com/hook' }
const application = (name: string) => ({ name, call_hook: hook, call_status_hook: hook })
const gateway = (i: number) => ({ ipv4: `203.0.113.${i}`, inbound: 1, outbound: 0 }) as const
const exceeded = (count: number) => ({
  status: 422,
  message: `exceeded limits - you have created ${count} instances of this resource`,
})
const tooMany = (most: number, more: number) =>
  `An account can have at most ${most}. This one has 0, and this would add ${more}.`
const series = <T>(length: number, of: (i: number) => T) => Array.from({ length }, (_, i) => of(i))

async function imported(who: string, path: string, csv: string) {
  const answer = await t.request(who, 'POST', path, csv)
  const last = JSON.parse(answer.body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict.added : 'msg' in last ? last.msg : last
}
const applicationLines = (from: number, to: number) =>
  `name,call_hook,call_status_hook\n${series(to - from, (i) => `ivr ${from + i},${hook.url},${hook.url}`).join('\n')}`
const numberLines = (from: number, to: number) =>
  `number\n${series(to - from, (i) => 15_550_000 + from + i).join('\n')}`

it('are 50 applications', async () => {
  const add = (who: string, name: string, account_sid = t.sids.a1) =>
    t.as(who)(api.applications.create, { body: { ...application(name), account_sid } })
  const path = '/Applications/Import'
  expect(await imported('a1', path, applicationLines(0, 51))).toBe(tooMany(50, 51))
  expect(await imported('a1', path, applicationLines(0, 49))).toBe(49)
  await add('a1', 'the fiftieth')
  await expect(add('a1', 'one more')).rejects.toMatchObject(exceeded(50))
  expect(await imported('a1', `${path}?dry_run=1`, applicationLines(49, 50))).toBe(
    exceeded(50).message,
  )
  await add('a2', 'of another', t.sids.a2)
  await add('sp1', 'one more')
})

it('are 200 phone numbers', async () => {
  const add = (who: string, number: string) =>
    t.as(who)(api.phoneNumbers.create, { body: { number, account_sid: t.sids.a1 } })
  const path = '/PhoneNumbers/Import'
  expect(await imported('a1', path, numberLines(0, 201))).toBe(tooMany(200, 201))
  expect(await imported('a1', path, numberLines(0, 199))).toBe(199)
  await add('a1', '15559998')
  await expect(add('a1', '15559999')).rejects.toMatchObject(exceeded(200))
  expect(await imported('a1', path, numberLines(200, 201))).toBe(exceeded(200).message)
  await add('sp1', '15559999')
})

it('are 10 carriers', async () => {
  const account_sid = t.sids.a1
  const { predefined_carrier_sid } = (await t.as('')(api.predefinedCarriers.list, {}))[0]!
  const copy = (who: string) =>
    t.as(who)(api.predefinedCarriers.addToAccount, {
      params: { account_sid, predefined_carrier_sid },
    })
  const add = (who: string, name: string) =>
    t.as(who)(api.voipCarriers.create, { body: { name, account_sid } })
  for (const i of series(9, (i) => i)) await add('a1', `carrier ${i}`)
  await copy('a1')
  await expect(copy('a1')).rejects.toMatchObject(exceeded(10))
  await expect(add('a1', 'one more')).rejects.toMatchObject(exceeded(10))
  await copy('sp1')
  await add('sp1', 'one more')
})

it('are 150 SIP gateways', async () => {
  const { sid: voip_carrier_sid } = await t.as('a1')(api.voipCarriers.create, {
    body: { name: 'trunk' },
  })
  const add = (who: string, i: number) =>
    t.as(who)(api.sipGateways.create, { body: { voip_carrier_sid, ...gateway(i) } })
  const save = (who: string, sip_gateways: ReturnType<typeof gateway>[]) =>
    t.as(who)(api.voipCarriers.update, { params: { voip_carrier_sid }, body: { sip_gateways } })
  await expect(save('a1', series(151, gateway))).rejects.toMatchObject({
    status: 422,
    message: tooMany(150, 151),
  })
  await insertMany(
    t.db,
    'sip_gateways',
    series(149, (i) => ({ sip_gateway_sid: randomUUID(), voip_carrier_sid, ...gateway(i) })),
  )
  await add('a1', 149)
  await expect(add('a1', 150)).rejects.toMatchObject(exceeded(150))
  const second = { name: 'second', sip_gateways: [gateway(200)] }
  await expect(t.as('a1')(api.voipCarriers.create, { body: second })).rejects.toMatchObject(
    exceeded(150),
  )
  await add('sp1', 150)
  // existing resources can still be changed
  await save(
    'a1',
    series(151, (i) => ({ ...gateway(i), netmask: 31 })),
  )
})
