import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api, type HealthPartName } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { openDb } from '../db/open.ts'
import { redisLive } from '../live/redis.ts'
import { health } from '../parts/registry.ts'
import { redisErrors } from './log.ts'

let t: TestApp
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await t.close()
})

/** Lines of warnings and errors, and those that say that a part is back. */
function counted() {
  const lines = t.lines.splice(0).map((line) => JSON.parse(line))
  return {
    trouble: lines.filter(({ level }) => level >= 40),
    back: lines.filter(({ msg }) => msg.endsWith('ok again')).map(({ msg }) => msg),
  }
}

/** Many requests that need the part, and several checks, while it is away. */
async function bother(ask: () => Promise<{ statusCode: number }>, part: 'redis' | 'database') {
  for (let i = 0; i < 3; i++) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
    await check(part)
  }
}

/** Checks a part, which it allows once a second. */
async function check(part: HealthPartName) {
  vi.advanceTimersByTime(1_050)
  await t.ctx.health.check([part])
}

async function recovered(part: HealthPartName) {
  await check(part)
  expect(stateOf(part)).toBe('ok')
}

const stateOf = (part: string) => t.ctx.health.parts().find((p) => p.part === part)?.state

it('writes one line when the database goes down, and one when it is back', async () => {
  t = await testApp()
  await t.ctx.health.check(['database'])
  const { db } = t.ctx
  const down = openDb({
    kind: 'mysql',
    host: '127.0.0.1',
    port: 1,
    user: 'nobody',
    password: 'canary',
    database: 'none',
    connectionLimit: 2,
  })
  t.ctx.db = down
  await bother(() => t.request('admin', 'GET', '/Accounts'), 'database')
  expect(stateOf('database')).toBe('failing')
  const { trouble, back } = counted()
  expect(trouble).toHaveLength(1)
  expect(trouble[0]).toMatchObject({ part: 'database', suppressed: 0 })
  expect(back).toEqual([])
  t.ctx.db = db
  await recovered('database')
  expect(counted()).toEqual({ trouble: [], back: ['Database: ok again'] })
  expect(t.ctx.health.parts().find((p) => p.part === 'database')?.last_error).toMatchObject({
    sentence: 'The connection is refused: nothing listens there',
  })
  await down.destroy()
})

it('writes one line when Redis goes down, and one when it is back', async () => {
  t = await testApp({ JAMBONES_REDIS_HOST: '127.0.0.1', JAMBONES_REDIS_PORT: '1' })
  await t.ctx.health.check(['redis'])
  const { live } = t.ctx
  const down = redisLive({ host: '127.0.0.1', port: 1 }, redisErrors(t.ctx.log))
  t.ctx.live = down
  await bother(() => t.request('admin', 'GET', '/Accounts'), 'redis')
  const { trouble } = counted()
  expect(trouble).toHaveLength(1)
  expect(trouble[0]).toMatchObject({ part: 'redis' })
  t.ctx.live = live
  await recovered('redis')
  await down.close()
  expect(counted()).toEqual({ trouble: [], back: ['Redis: ok again'] })
})

it('writes one line when InfluxDB goes down, and one when it is back', async () => {
  const influx = createServer((_, reply) => reply.end('{"results":[]}'))
  const listen = (port: number) =>
    new Promise<number>((resolve) =>
      influx.listen(port, '127.0.0.1', () => resolve((influx.address() as AddressInfo).port)),
    )
  const port = await listen(0)
  t = await testApp({ JAMBONES_TIME_SERIES_HOST: `127.0.0.1:${port}` })
  await t.ctx.health.check(['influxdb'])
  expect(stateOf('influxdb')).toBe('ok')
  await stop(influx)
  const path = `/Accounts/${t.sids.a1}/RecentCalls?page=1&count=25`
  for (let i = 0; i < 3; i++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.request('a1', 'GET', path)),
    )
    expect(answers.every(({ statusCode }) => statusCode === 503)).toBe(true)
    await check('influxdb')
  }
  expect(stateOf('influxdb')).toBe('failing')
  const { trouble, back } = counted()
  expect(trouble).toHaveLength(1)
  expect(trouble[0]).toMatchObject({ part: 'influxdb', suppressed: 0 })
  expect(back).toEqual([])
  await listen(port)
  await recovered('influxdb')
  expect(counted()).toEqual({ trouble: [], back: ['InfluxDB: ok again'] })
  await stop(influx)
})

it('reminds every ten minutes of a part that stays down, with a count', async () => {
  t = await testApp()
  const { log } = t.ctx
  let ms = 0
  const { report } = health({ log, ticks: () => ms })
  for (let s = 0; s < 25 * 60; s += 5) {
    report('redis', 'failing', 'It does not answer')
    ms += 5_000
  }
  expect(counted().trouble.map(({ suppressed }) => suppressed)).toEqual([0, 119, 119])
  report('redis', 'ok')
  expect(counted().back).toEqual(['Redis: ok again'])
})

it('says of each line whose request it is about', async () => {
  t = await testApp()
  await t.as('admin')(api.accounts.list, { query: {} })
  await t.request('a1-key', 'GET', '/Applications')
  await t.request('nobody', 'GET', '/Applications')
  const lines = t.lines.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id)
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests).toMatchObject([
    { user_sid: t.users.admin, network: '127.0.0.0/24', status: 200 },
    { api_key_sid: expect.stringMatching(/^[\da-f-]{36}$/), network: '127.0.0.0/24' },
    { network: '127.0.0.0/24', status: 401 },
  ])
  expect(requests[2]).not.toHaveProperty('user_sid')
  expect(new Set(requests.map(({ request_id }) => request_id)).size).toBe(3)
  // the refusal, too
  expect(lines.find(({ msg }) => msg === 'request refused')).toMatchObject({
    request_id: requests[2].request_id,
  })
})

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
