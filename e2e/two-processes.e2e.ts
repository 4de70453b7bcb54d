import { afterEach, expect, it } from 'vitest'
import { caseCount, report } from '../packages/server/test/trust.ts'
import { databasesFor } from './databases.ts'
import { PASSWORD as ADMINS, api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'

const servers: Switchroom[] = []
afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.stop()
})

const ROUNDS = caseCount(10, 400)
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const PASSWORD = 'correct horse 2'
const SOON = { interval: 50 }
type Sid = { sid: string }
type User = { user_sid: string }
type Key = { sid: string; token: string }
type Named = { name: string }

/** The status of a request that changes nothing. */
const statusAt = async (url: string, token: string) =>
  (await fetch(`${url}/api/v1/Users/me`, { headers: { authorization: `Bearer ${token}` } })).status

it.each(databasesFor('two-processes'))(
  'what one process changes, the other knows at once, or soon, of who may come in, on %s',
  async (database) => {
    const a = await startSwitchroom(database)
    servers.push(a)
    const b = await startSwitchroom(database, a.shared)
    servers.push(b)
    let tried = 0
    const admin = await fetchToken(a.url)
    const newUser = async (name: string) => {
      const body = { name, email: `${name}@example.org`, initial_password: PASSWORD }
      const { user_sid } = await api<User>(a.url, admin, 'POST', '/Users', {
        ...body,
        account_sid: ACCOUNT,
        force_change: false,
      })
      return user_sid
    }
    /** A session that works in both processes, which stops working in the other when this is done in one. */
    const ends = async (
      what: string,
      name: string,
      end: (token: string, user_sid: string) => Promise<unknown>,
    ) => {
      const user_sid = await newUser(name)
      const token = await fetchToken(b.url, name, PASSWORD)
      expect([await statusAt(a.url, token), await statusAt(b.url, token)], what).toEqual([200, 200])
      await end(token, user_sid)
      expect(await statusAt(a.url, token), what).toBe(401)
      await expect.poll(() => statusAt(b.url, token), SOON).toBe(401)
      tried++
    }
    await ends('a log-out', 'u1', (token) => api(a.url, token, 'POST', '/logout'))
    await ends('a new password', 'u2', (_, sid) =>
      api(a.url, admin, 'PUT', `/Users/${sid}`, {
        initial_password: 'correct horse 3',
        proof: { password: ADMINS },
      }),
    )
    await ends('a deletion', 'u3', (_, sid) => api(a.url, admin, 'DELETE', `/Users/${sid}`))

    const key = await api<Key>(a.url, admin, 'POST', '/ApiKeys', { account_sid: ACCOUNT })
    await api(b.url, key.token, 'GET', '/Applications')
    await api(a.url, admin, 'DELETE', `/ApiKeys/${key.sid}`)
    const statusOfKey = async () =>
      (
        await fetch(`${b.url}/api/v1/Applications`, {
          headers: { authorization: `Bearer ${key.token}` },
        })
      ).status
    await expect.poll(statusOfKey, SOON).toBe(401)
    tried++

    // lists, also one that was just read and may be kept
    const names = async (url: string) =>
      (await api<{ data: Named[] }>(url, admin, 'GET', '/VoipCarriers?page=1')).data.map(
        (c) => c.name,
      )
    expect(await names(b.url)).not.toContain('seen by both')
    const body = { name: 'seen by both', account_sid: ACCOUNT }
    const { sid } = await api<Sid>(a.url, admin, 'POST', '/VoipCarriers', body)
    await expect.poll(() => names(b.url), SOON).toContain('seen by both')
    await api(b.url, admin, 'DELETE', `/VoipCarriers/${sid}`)
    expect(await names(a.url)).not.toContain('seen by both')
    tried += 2
    // without Redis they tell each other nothing
    for (let round = 0; database === 'mysql' && redis && round < ROUNDS; round++) {
      const added = await api<Sid>(a.url, admin, 'POST', '/VoipCarriers', body)
      expect(await names(b.url), `round ${round}`).toContain(body.name)
      await api(a.url, admin, 'DELETE', `/VoipCarriers/${added.sid}`)
      expect(await names(b.url), `round ${round}`).not.toContain(body.name)
      tried += 2
    }

    // a rule that only a lock enforces: the same username, at the same time, in both
    for (let round = 0; round < 10; round++) {
      const client = { username: `jane${round}`, password: 'x', account_sid: ACCOUNT }
      const added = await Promise.allSettled(
        [a, b, a, b].map(({ url }) => api(url, admin, 'POST', '/Clients', client)),
      )
      expect(added.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      tried++
    }

    // failed attempts count together
    await newUser('u4')
    const attempt = async (url: string) =>
      fetchToken(url, 'u4', 'wrong').then(
        () => '',
        (e: Error) => e.message,
      )
    const refusals: string[] = []
    for (let i = 0; i < 20 && !refusals.at(-1)?.includes('Maximum login attempts'); i++)
      refusals.push(await attempt([a, b][i % 2]!.url))
    expect(refusals.at(-1)).toContain('Maximum login attempts')
    expect(await attempt(a.url)).toContain('Maximum login attempts')
    expect(await attempt(b.url)).toContain('Maximum login attempts')
    tried++
    report({
      part: 'two processes on one database',
      tried,
      found: { 'seen by the other': tried },
      database,
    })
  },
)
