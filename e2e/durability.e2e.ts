import { afterEach, expect, it } from 'vitest'
import { databasesOf } from './databases.ts'
import { api, logIn, type Switchroom, startSwitchroom } from './harness.ts'

let server: Switchroom | undefined
afterEach(() => server?.stop())

type Sid = { sid: string }
type PhoneNumber = { phone_number_sid: string; number: string }
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

it.each(databasesOf('durability'))(
  'keeps every acknowledged write through a kill -9, on %s',
  async (database) => {
    server = await startSwitchroom(database)
    const { url } = server
    const token = await logIn(url)
    const acknowledged: string[] = []
    let next = 0
    let running = true
    const write = async () => {
      while (running) {
        const number = `1508${String(next++).padStart(7, '0')}`
        // a carrier with its gateways beside it: several statements that must stay together
        const body = {
          name: number,
          account_sid: ACCOUNT,
          sip_gateways: [
            { ipv4: '203.0.113.1', inbound: 1, outbound: 0 },
            { ipv4: '203.0.113.2', inbound: 1, outbound: 0 },
          ],
        }
        try {
          const { sid } = await api<Sid>(url, token, 'POST', '/VoipCarriers', body)
          await api(url, token, 'POST', '/PhoneNumbers', {
            number,
            account_sid: ACCOUNT,
            voip_carrier_sid: sid,
          })
          acknowledged.push(number)
        } catch (cause) {
          if (running) throw new Error(`a write failed before the kill: ${cause}`)
        }
      }
    }
    const writers = Array.from({ length: 8 }, write)
    // in the middle of a burst, however fast this machine is
    const until = Date.now() + 60_000
    while (acknowledged.length <= 50 && Date.now() < until)
      await new Promise((r) => setTimeout(r, 20))
    running = false
    await server.kill('SIGKILL')
    await Promise.all(writers)
    expect(acknowledged.length).toBeGreaterThan(50)

    await server.start()
    const again = await logIn(url)
    const numbers = await api<PhoneNumber[]>(url, again, 'GET', '/PhoneNumbers')
    const stored = new Set(numbers.map((n) => n.number))
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
    type Carrier = { inbound_gateways: number }
    const carriers = await api<Carrier[]>(url, again, 'GET', '/VoipCarriers')
    expect(carriers.filter((c) => c.inbound_gateways !== 2)).toEqual([])
  },
)

it.each(databasesOf('durability'))(
  'keeps people signed in, and out, through a restart, on %s',
  async (database) => {
    server = await startSwitchroom(database)
    const { url } = server
    const [token] = [await logIn(url)]
    const add = { name: 'b', email: 'b@example.org', initial_password: 'correct horse 2' }
    await api(url, token, 'POST', '/Users', { ...add, force_change: false })
    const other = await logIn(url, 'b', 'correct horse 2')
    await api(url, other, 'POST', '/logout')
    await server.kill('SIGKILL')
    await server.start()
    await api(url, token, 'GET', '/Users/me')
    await expect(api(url, other, 'GET', '/Users/me')).rejects.toThrow('401')
  },
)

it('finishes requests in flight when it is asked to stop', async () => {
  server = await startSwitchroom('sqlite')
  const { url } = server
  const token = await logIn(url)
  let answered = 0
  const slow = Array.from({ length: 4 }, async (_, i) => {
    const made = await api<{ user_sid: string }>(url, token, 'POST', '/Users', {
      name: `u${i}`,
      email: `u${i}@example.org`,
      initial_password: 'correct horse 2',
    })
    answered++
    return made
  })
  // what is answered later has come later
  await fetch(`${url}/ready`)
  expect(answered).toBeLessThan(slow.length)
  const code = server.kill('SIGTERM')
  expect((await Promise.all(slow)).every((u) => u.user_sid)).toBe(true)
  expect(await code).toBe(0)
})
