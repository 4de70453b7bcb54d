import { afterEach, expect, it } from 'vitest'
import { keepAsking, readiness, recovered } from './during.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { hasRedis, startSentinels } from './sentinels.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const USER = { name: 'b', email: 'b@example.org', initial_password: 'correct horse 2' }
const credentials = (username: string, password: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username, password }),
})
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** Keeps sending requests while the primary is lost and replaced, and checks every answer. */
async function failOver(
  { url }: Switchroom,
  token: string,
  ended: string,
  lose: () => Promise<unknown>,
) {
  const me = `${url}/api/v1/Users/me`
  const requests = {
    read: () => fetch(me, bearer(token)),
    login: () => fetch(`${url}/api/v1/login`, credentials('admin', PASSWORD)),
    'ended session': () => fetch(me, bearer(ended)),
    ready: () => fetch(`${url}/ready`),
  }
  const during = await keepAsking(requests)
  try {
    await during.answered()
    const lost = expect
      .poll(() => readiness(url), { interval: 20 })
      .toMatchObject([503, { ready: false, failing: ['redis'] }])
    await Promise.all([lost, lose()])
    await recovered(url)
    await during.expectServed('Redis', { 'ended session': 401 })
  } finally {
    await during.stop()
  }
}

it.runIf(hasRedis)('goes on by itself when Redis Sentinel replaces the primary', async () => {
  const redis = await startSentinels()
  closing.push(redis.stop)
  const server = await startSwitchroom('sqlite', redis.environment)
  closing.push(server.stop)
  const { url } = server
  const admin = await fetchToken(url)
  await api(url, admin, 'POST', '/Users', { ...USER, force_change: false })
  const ended = await fetchToken(url, USER.name, USER.initial_password)
  await api(url, ended, 'POST', '/logout')
  // the user is on the platform's allow-list again, so that only the session itself is over
  const open = await fetchToken(url, USER.name, USER.initial_password)
  const { first, second } = redis

  await failOver(server, open, ended, async () => {
    redis.signal(first, 'SIGKILL')
    await redis.agreeOn(second)
  })
  await redis.rejoin(first)
  await failOver(server, open, ended, async () => {
    redis.signal(second, 'SIGSTOP')
    await redis.agreeOn(first)
    // it still takes itself for the primary for a moment
    redis.signal(second, 'SIGCONT')
  })
})
