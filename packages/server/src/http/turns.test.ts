import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { recordStatements } from '../../test/statements.ts'
import * as numberWrites from '../routing/phone-numbers/writes.ts'

const statements = recordStatements()
let t: TestApp
let port: number
const sockets: Socket[] = []
beforeAll(async () => {
  // in memory, a read that is kept waiting would keep all others waiting
  t = await testApp({}, undefined, statements.tracing, { onFile: true })
  t.app.server.on('connection', (socket) => sockets.push(socket))
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
  await numberWrites.insert(
    t.db,
    Array.from({ length: 30 }, (_, i) => ({
      phone_number_sid: crypto.randomUUID(),
      number: `4912${i + 1_000_000}`,
      account_sid: t.sids.a1,
      service_provider_sid: null,
      voip_carrier_sid: null,
      application_sid: null,
      description: null,
    })),
  )
})
afterAll(() => t.close())

/** Ends the reads of lists of numbers, which wait for it. */
let open: () => void
beforeEach(() => {
  const gate = Promise.withResolvers<void>()
  open = gate.resolve
  statements.after = (sql) =>
    /phone_numbers.*order by/s.test(sql) ? gate.promise : Promise.resolve()
})

const turns = () => t.ctx.memory.turns
const running = (n: number, waiting = 0) => [{ lane: { signedIn: t.sids.a1 }, running: n, waiting }]
const asked = (path: string) => {
  const headers = { authorization: `Bearer ${t.bearer.a1}` }
  const request = get({ port, path: `/api/v1${path}`, headers, agent: false })
  return request.on('error', () => undefined)
}
const exported = async () => (await t.request('a1', 'GET', '/PhoneNumbers/Export')).statusCode

it('lasts until the answer has been sent', async () => {
  const [answer] = (await once(asked('/PhoneNumbers/Export'), 'response')) as [IncomingMessage]
  const next = exported()
  await expect.poll(() => turns().exports.load()).toEqual(running(1, 1))
  open()
  answer.resume()
  expect(await next).toBe(200)
  await expect.poll(() => turns().exports.load()).toEqual([])
})

it.each([
  ['exports', '/PhoneNumbers/Export'],
  ['lists', '/PhoneNumbers'],
  ['searches', '/PhoneNumbers?page=1&filter=4912'],
] as const)(
  'ends for a client that has left once nothing is read for it (%s)',
  async (cost, path) => {
    sockets.length = 0
    const request = asked(path)
    await expect.poll(() => turns()[cost].load()).toEqual(running(1))
    const [socket] = sockets
    const closed = new Promise((resolve) => socket!.once('close', resolve))
    request.destroy()
    await closed
    // the code notices the disconnect in one of these turns of the event loop
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    expect(turns()[cost].load()).toEqual(running(1))
    open()
    await expect.poll(() => turns()[cost].load()).toEqual([])
  },
)

it('is lost by a client that leaves while it waits', async () => {
  const first = asked('/PhoneNumbers/Export')
  await expect.poll(() => turns().exports.load()).toEqual(running(1))
  const second = asked('/PhoneNumbers/Export')
  await expect.poll(() => turns().exports.load()).toEqual(running(1, 1))
  second.destroy()
  await expect.poll(() => turns().exports.load()).toEqual(running(1))
  open()
  first.destroy()
  await expect.poll(() => turns().exports.load()).toEqual([])
})

it('ends with an error', async () => {
  open()
  const missing = { select: { phone_number_sids: [crypto.randomUUID()] } }
  expect((await t.request('a1', 'POST', '/PhoneNumbers/Export', missing)).statusCode).toBe(404)
  await expect.poll(() => turns().exports.load()).toEqual([])
  expect(await exported()).toBe(200)
})

it('lets an account search while another waits for its own searches', async () => {
  const search = (who: string, filter: string) =>
    t.as(who)(api.phoneNumbers.list, { query: { page: 1, page_size: 25, filter } })
  const many = Array.from({ length: 20 }, (_, i) => search('a1', `49121${i}`))
  await expect.poll(() => turns().searches.load()).toEqual(running(2, 18))
  const neighbour = search('a2', '4912')
  await expect.poll(() => turns().searches.load()).toMatchObject([{}, { running: 1, waiting: 0 }])
  open()
  expect(await neighbour).toMatchObject({ total: 0 })
  for (const page of await Promise.all(many)) expect(page).toHaveProperty('total')
  await expect.poll(() => turns().searches.load()).toEqual([])
})
