import { NETWORK_FAILURES, SLOWED } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PROOF, type TestApp, testApp } from '../../test/app.ts'
import { nextMillisecond } from '../../test/next-millisecond.ts'
import { hourly } from '../live/hourly.ts'
import { StateUnreachable } from '../live/state.ts'
import { hashPassword } from '../secrets/passwords.ts'
import { memory } from './memory.ts'
import { checkPassword, codesKey, liftLockOut, passwordKey, trySecret } from './password.ts'

const PASSWORD = 'correct horse 1'
const LOCKED = /^Maximum login attempts reached/
const SECONDS = 1800

let t: TestApp
beforeEach(async () => {
  // failures are counted by the hour, and by ten seconds, of the clock
  vi.useFakeTimers({ toFake: ['Date'] })
  t = await testApp({
    JAMBONES_TRUST_PROXY: '1',
    LOGIN_ATTEMPTS_TIME: String(SECONDS),
    SWITCHROOM_LOGIN_FAILURES_PER_NETWORK: '10',
  })
  await t.db
    .updateTable('users')
    .set({ hashed_password: await hashPassword(PASSWORD) })
    .where('user_sid', '=', t.users.a1!)
    .execute()
})
afterEach(async () => {
  vi.useRealTimers()
  await t.close()
})

const HOME = '192.0.2.1'
const login = (password: string, ip = HOME, username = 'a1') =>
  t.request('', 'POST', '/login', { username, password }, { 'x-forwarded-for': ip })

/** Makes 80 requests at once and counts how many secrets were really compared. */
async function attack(request: (i: number) => ReturnType<TestApp['request']>) {
  const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => request(i)))
  // those that found the queue full, or waited too long in it, were not compared either
  const refused = answers.filter(
    (a) => [429, 503].includes(a.statusCode) || LOCKED.test(a.json().msg ?? ''),
  )
  // the sixth wrong one is compared, and its answer is that it was the last
  const last = refused.filter((a) => a.json().msg.includes(`${SECONDS} seconds`))
  return { answers, compared: answers.length - refused.length + last.length }
}
const guess = (i: number) => (i === 79 ? PASSWORD : `guess ${i}`)

it('compares six of eighty passwords that are tried at once', async () => {
  const { answers, compared } = await attack((i) => login(guess(i)))
  expect(compared).toBe(6)
  expect(answers.map((a) => a.statusCode)).not.toContain(200)
  expect((await login(PASSWORD)).statusCode).toBe(403)
})

it.each([
  ['PUT', (): string => `/Users/${t.users.a1}`],
  ['POST', (): string => '/change-password'],
] as const)('counts the old password of a new one (%s)', async (method, path) => {
  const { answers, compared } = await attack((i) =>
    t.request('a1', method, path(), { old_password: guess(i), new_password: 'Unlike 7 others' }),
  )
  expect(compared).toBe(6)
  expect(answers.map((a) => a.statusCode)).not.toContain(204)
})

it('counts a password that proves who deletes', async () => {
  const { answers, compared } = await attack((i) =>
    t.request('admin', 'DELETE', `/Accounts/${t.sids.a2}`, { password: `guess ${i}` }),
  )
  expect(compared).toBe(6)
  expect(answers.map((a) => a.statusCode)).not.toContain(204)
})

it('counts per network: failures elsewhere keep nobody out', async () => {
  for (let i = 0; i < 8; i++) await login('guess', '198.51.100.7')
  expect((await login(PASSWORD, '198.51.100.7')).json().msg).toMatch(LOCKED)
  expect((await login(PASSWORD)).statusCode).toBe(200)
  // the person's success does not help the stranger
  expect((await login(PASSWORD, '198.51.100.7')).json().msg).toMatch(LOCKED)
})

it('takes the addresses of one IPv6 network for one', async () => {
  for (let i = 0; i < 6; i++) await login('guess', `2001:db8::${i}`)
  expect((await login(PASSWORD, '2001:db8::ffff')).json().msg).toMatch(LOCKED)
  expect((await login(PASSWORD, '2001:db8:0:1::1')).statusCode).toBe(200)
})

it('does not count a try whose check failed, and prolongs no lock-out', async () => {
  const attempt = { key: 'thing', ip: HOME }
  const broken = () => Promise.reject(new Error('the store is down'))
  for (let i = 0; i < 9; i++) await expect(trySecret(t.ctx, attempt, broken)).rejects.toThrow()
  expect(await trySecret(t.ctx, attempt, async () => 'right')).toBe('right')
  const wrong = () => trySecret(t.ctx, attempt, async () => undefined)
  for (let i = 0; i < 5; i++) expect(await wrong()).toBeUndefined()
  await expect(wrong()).rejects.toThrow(`${SECONDS} seconds`)
  const counts = () => t.db.selectFrom('switchroom_live').selectAll().orderBy('key').execute()
  const before = await counts()
  nextMillisecond()
  await expect(wrong()).rejects.toThrow('later')
  expect(await counts()).toEqual(before)
  await liftLockOut(t.ctx, attempt)
  expect(await wrong()).toBeUndefined()
})

it('lets a user in whose password a manager has set, whatever was tried before', async () => {
  // one network may fail ten times
  const codes = { key: codesKey(t.users.a1!), ip: '203.0.113.3' }
  const wrongCode = () => trySecret(t.ctx, codes, async () => undefined)
  const lockOut = async () => {
    for (let i = 0; i < 6; i++) await login('guess')
    for (let i = 0; i < 6; i++) await wrongCode().catch(() => undefined)
    for (let i = 0; i < 60; i++) await hourly(t.ctx, `second-factor:${t.users.a1!}`, 60)
    expect((await login(PASSWORD)).json().msg).toMatch(LOCKED)
  }
  const hour = async () => hourly(t.ctx, `second-factor:${t.users.a1!}`, 60)
  await lockOut()
  // a change of anything else, or by who may not, lifts nothing
  await t.request('sp1', 'PUT', `/Users/${t.users.a1}`, { force_change: 1 })
  await t.request('b1', 'PUT', `/Users/${t.users.a1}`, {
    initial_password: 'Unlike 7 others',
    proof: PROOF,
  })
  expect((await login(PASSWORD)).json().msg).toMatch(LOCKED)
  expect(await hour()).toBeGreaterThan(0)
  const set = await t.request('sp1', 'PUT', `/Users/${t.users.a1}`, {
    initial_password: 'Unlike 7 others',
    proof: PROOF,
  })
  expect(set.statusCode).toBe(204)
  expect((await login('Unlike 7 others')).statusCode).toBe(200)
  expect(await wrongCode()).toBeUndefined()
  expect(await hour()).toBe(0)
})

it('lets a user in everywhere who has used a reset link, but not to more tries of a code', async () => {
  const away = '198.51.100.7'
  const codes = { key: codesKey(t.users.a1!), ip: '203.0.113.3' }
  for (let i = 0; i < 6; i++) await login('guess', away)
  const wrongCode = () => trySecret(t.ctx, codes, async () => undefined)
  for (let i = 0; i < 6; i++) await wrongCode().catch(() => undefined)
  await t.request('', 'POST', '/forgot-password', { email: 'a1@example.com' })
  await expect.poll(() => t.mails).toHaveLength(1)
  const [, link] = /reset-password\/(\S+)/.exec(t.mails[0]!.text)!
  const { jwt } = (await t.request('', 'POST', '/signin', { link })).json()
  const body = { old_password: link, new_password: 'Unlike 7 others' }
  expect((await t.request(jwt, 'POST', '/change-password', body)).statusCode).toBe(204)
  expect((await login('Unlike 7 others', away)).statusCode).toBe(200)
  await expect(wrongCode()).rejects.toThrow(LOCKED)
})

const AWAY = new StateUnreachable('Redis does not answer')

it('waits for a store that hangs only once', async () => {
  const live = { ...t.ctx.live, decrementAll: () => new Promise<never>(() => undefined) }
  const attempt = { key: 'x', ip: HOME }
  const check = () => Promise.reject(AWAY)
  await expect(trySecret({ ...t.ctx, live }, attempt, check)).rejects.toBe(AWAY)
})

it('counts no try in which a store was away', async () => {
  const attempt = { key: 'x', ip: HOME }
  for (let i = 0; i < 30; i++)
    await expect(trySecret(t.ctx, attempt, () => Promise.reject(AWAY))).rejects.toBe(AWAY)
  expect(await trySecret(t.ctx, attempt, async () => 'right')).toBe('right')
})

it('counts a refused try against nobody else', async () => {
  const attempt = { key: 'x', ip: HOME }
  const wrong = () => trySecret(t.ctx, attempt, async () => undefined)
  // all begin before the first is counted
  const tries = await Promise.allSettled(Array.from({ length: 16 }, wrong))
  expect(tries.filter((it) => it.status === 'fulfilled')).toHaveLength(5)
  const others = Array.from({ length: 4 }, (_, i) => ({ key: `y${i}`, ip: HOME }))
  for (const other of others)
    expect(await trySecret(t.ctx, other, async () => undefined)).toBe(undefined)
  await expect(trySecret(t.ctx, { key: 'z', ip: HOME }, async () => undefined)).rejects.toThrow(
    NETWORK_FAILURES,
  )
})

it('lifts the lock-outs of all networks with a new password', async () => {
  for (const ip of [HOME, '198.51.100.7']) for (let i = 0; i < 6; i++) await login('guess', ip)
  await liftLockOut(t.ctx, { key: passwordKey({ user_sid: t.users.a1! }) })
  for (const ip of [HOME, '198.51.100.7']) expect((await login(PASSWORD, ip)).statusCode).toBe(200)
})

it('limits the failures of one network, whatever it tries', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `name ${i}`)
  const answers = await Promise.all(names.map((name) => login('guess', HOME, name)))
  expect(answers.filter((a) => a.json().msg === 'Login credentials are incorrect')).toHaveLength(10)
  const refused = await t.request('', 'POST', '/signin', { link: 'x' }, { 'x-forwarded-for': HOME })
  expect([refused.statusCode, refused.json().msg]).toEqual([429, NETWORK_FAILURES])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await login(PASSWORD, '198.51.100.7')).statusCode).toBe(200)
})

it('counts before it compares, over several processes', async () => {
  /** Tries 40 wrong secrets at once, each in a process of its own, and counts comparisons. */
  const tryAtOnce = async (keyOf: (i: number) => string) => {
    let compared = 0
    let over = 0
    const check = async () => {
      compared += 1
      // all others are refused, or compare as well
      await vi.waitUntil(() => compared + over >= 40, { timeout: 60_000, interval: 5 })
      return undefined
    }
    const tries = Array.from({ length: 40 }, (_, i) =>
      trySecret(
        { ...t.ctx, memory: memory(t.ctx.databaseUse) },
        { key: keyOf(i), ip: HOME },
        check,
      ).finally(() => {
        over += 1
      }),
    )
    await Promise.allSettled(tries)
    return compared
  }
  expect(await tryAtOnce(() => 'one')).toBe(6)
  // four are left for the network
  expect(await tryAtOnce((i) => `other ${i}`)).toBe(4)
})

it('does not count successes for the network', async () => {
  for (let i = 0; i < 25; i++) expect((await login(PASSWORD)).statusCode).toBe(200)
})

it('slows guessing that is spread over networks, but not where the user has been before', async () => {
  expect((await login(PASSWORD, HOME)).statusCode).toBe(200)
  const stranger = (i: number) => `203.0.${Math.floor(i / 6)}.1`
  for (let i = 0; i < 60; i++) await login('guess', stranger(i))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => login(i === 19 ? PASSWORD : 'guess', `198.51.${i}.1`)),
  )
  const slowed = answers.filter((a) => a.json().msg === SLOWED)
  // one goes through every ten seconds
  expect(slowed).toHaveLength(19)
  expect(slowed[0]!.statusCode).toBe(429)
  expect((await login(PASSWORD, HOME)).statusCode).toBe(200)
  expect((await login(PASSWORD, '192.0.2.99')).statusCode).toBe(200)
  // a name that nobody has is treated alike
  for (let i = 0; i < 60; i++) await login('guess', stranger(i + 60), 'nobody')
  const others = [
    await login('guess', '198.51.1.1', 'nobody'),
    await login('guess', '198.51.2.1', 'nobody'),
  ]
  expect(others.map((a) => a.json().msg)).toContain(SLOWED)
})

it('checks passwords of people who are signed in while strangers keep it busy', async () => {
  const answers: Awaited<ReturnType<typeof login>>[] = []
  const compared = () => answers.filter((a) => a.statusCode === 403).length
  const { promise: isBusy, resolve: first } = Promise.withResolvers<void>()
  const flood = Array.from({ length: 120 }, async (_, i) => {
    answers.push(await login('guess', `203.0.${i}.1`, `name ${i}`))
    first()
  })
  await isBusy
  const change = { old_password: PASSWORD, new_password: 'Unlike 7 others' }
  const changed = await t.request('a1', 'PUT', `/Users/${t.users.a1}`, change)
  const before = compared()
  expect(changed.statusCode).toBe(204)
  await Promise.all(flood)
  // in turn with strangers it would be after nearly all of them
  expect(before).toBeLessThan(compared() * 0.75)
  const refused = answers.filter((a) => a.statusCode === 503)
  expect(refused.length).toBeGreaterThan(30)
  for (const answer of refused) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
})

it('sets one password with one reset link, of two at once', async () => {
  await t.request('', 'POST', '/forgot-password', { email: 'a1@example.com' })
  await expect.poll(() => t.mails).toHaveLength(1)
  const [, link] = /reset-password\/(\S+)/.exec(t.mails[0]!.text)!
  const { jwt } = (await t.request('', 'POST', '/signin', { link })).json()
  const change = (new_password: string) =>
    t.request(jwt, 'POST', '/change-password', { old_password: link, new_password })
  const answers = await Promise.all([change('Unlike 7 others'), change('Unlike 8 others')])
  expect(answers.map((a) => a.statusCode).sort()).not.toEqual([204, 204])
})

it('goes on when the hash that is checked for unknown names could not be made', async () => {
  const { passwords } = t.ctx.memory
  const hash = vi.fn(passwords.hash).mockRejectedValueOnce(new Error('out of memory'))
  const ctx = { memory: { ...t.ctx.memory, decoy: undefined, passwords: { ...passwords, hash } } }
  const user = { user_sid: 'u', provider: 'local', hashed_password: await hashPassword('right') }
  expect(await checkPassword(ctx, user, 'right')).toBe(user)
  expect(await checkPassword(ctx, undefined, 'right')).toBeUndefined()
})
