import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { recordStatements } from './statements.ts'

/** The app that tests share knows nothing of one test in the next, nor of two that are open at once. */

const opened: TestApp[] = []
afterEach(async () => {
  for (const t of opened.splice(0)) await t.close()
})
async function open(...args: Parameters<typeof testApp>) {
  const t = await testApp(...args)
  opened.push(t)
  return t
}

/** The routes of the requests that a test's log has. */
const answeredBy = ({ lines }: TestApp) =>
  lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, route }) => (msg === 'request' ? route : []))

it('answers each test from its own database, memory and log', async () => {
  const [one, two] = [await open(), await open()]
  for (const t of [one, two, one]) {
    const names = (await t.as('a1')(api.users.list, { query: { page: 1 } })).data
    expect(names.map(({ user_sid }) => user_sid)).toContain(t.users.a1)
  }
  await two.db
    .insertInto('users')
    .values({ user_sid: randomUUID(), name: 'more', email: 'more@example.com', provider: 'local' })
    .execute()
  const total = async (t: TestApp) =>
    (await t.as('admin')(api.users.list, { query: { page: 1 } })).total
  const all = await total(one)
  expect(await total(two)).toBe(all + 1)
  // its session is in the other database
  expect((await two.request(one.bearer.a1!, 'GET', '/Users/me')).statusCode).toBe(401)
  await expect.poll(() => answeredBy(two)).toHaveLength(3)
  await one.request('a1', 'GET', '/Users/me')
  await expect.poll(() => answeredBy(one).at(-1)).toBe('/api/v1/Users/me')
  expect(answeredBy(two)).toHaveLength(3)
  expect(one.ctx.memory.callers).not.toBe(two.ctx.memory.callers)
})

it('forgets lists, callers and work of a test that has ended', async () => {
  const { close, bearer, ctx } = await testApp()
  const app = (await open()).app
  const stop = vi.fn()
  ctx.memory.runs.set('run', { look: () => undefined, stop, done: Promise.resolve() })
  const closeModules = vi.spyOn(ctx.modules, 'close')
  await close()
  expect(stop).toHaveBeenCalledOnce()
  expect(closeModules).toHaveBeenCalledOnce()
  const headers = { authorization: `Bearer ${bearer.a1}` }
  expect((await app.inject({ url: '/api/v1/Users/me', headers })).statusCode).toBe(401)
})

it('lets a request find the test that sent it, whichever opened since', async () => {
  const one = await open()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { verify } = one.ctx.tokens
  const asked = new Promise<void>((resolve) => {
    one.ctx.tokens.verify = async (token) => {
      resolve()
      await held
      return verify(token)
    }
  })
  const sent = one.request('a1', 'GET', '/Users/me')
  await asked
  const two = await open()
  await two.request('a1', 'GET', '/Users/me')
  await expect.poll(() => answeredBy(two)).toHaveLength(1)
  release()
  expect((await sent).json()).toMatchObject({ user: { user_sid: one.users.a1 } })
  await expect.poll(() => answeredBy(one)).toEqual(['/api/v1/Users/me'])
  expect(answeredBy(two)).toHaveLength(1)
})

it('takes nothing but requests', async () => {
  const { app } = await open()
  expect(() => app.listen({ port: 0 })).toThrow('app.listen needs an app of this test alone')
  expect(() => app.close()).toThrow('{ ownApp: true }')
  await expect(async () => app.inject('/metrics')).rejects.toThrow('/metrics needs an app')
})

it('is not given to tests that need an app of their own', async () => {
  for (const t of [
    await open({}, undefined, undefined, { ownApp: true }),
    await open({ ENABLE_HOSTED_SYSTEM: '1' }),
    await open({}, undefined, recordStatements().tracing),
  ])
    expect((await t.app.inject('/metrics')).statusCode).toBe(200)
})
