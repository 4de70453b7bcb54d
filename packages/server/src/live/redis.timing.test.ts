import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultyProxy } from '../../test/stand-ins/faulty-proxy.ts'
import type { Live } from './live.ts'
import { type RedisLimits, redisLive } from './redis.ts'
import { StateUnreachable } from './state.ts'

const limits: RedisLimits = {
  command_ms: 1_000,
  silence_ms: 800,
  connect_ms: 800,
  pause_ms: 50,
  max_waiting: 20,
}
/** A failure later than this came from no limit of ours. */
const SOON_MS = 8_000

async function failsSoon(work: Promise<unknown>) {
  const began = performance.now()
  await expect(work).rejects.toThrow(StateUnreachable)
  expect(performance.now() - began).toBeLessThan(SOON_MS)
}

const url = process.env.TEST_REDIS_URL ? new URL(process.env.TEST_REDIS_URL) : undefined

describe.runIf(url)('live state in Redis', () => {
  let proxy: Awaited<ReturnType<typeof faultyProxy>>
  let live: Live
  beforeEach(async () => {
    proxy = await faultyProxy({ host: url!.hostname, port: Number(url!.port) })
    const at = { host: proxy.host, port: proxy.port, db: Number(process.env.VITEST_POOL_ID ?? 0) }
    live = redisLive(at, () => undefined, limits)
    await live.set('steady', '1', 60)
  })
  afterEach(async () => {
    await live.close()
    proxy.close()
  })

  it('fails soon when nothing gets through, and recovers', async () => {
    proxy.lose('all')
    await Promise.all([
      failsSoon(live.get('steady')),
      failsSoon(live.increment('steady-count', 60)),
      failsSoon(live.count('steady')),
      failsSoon(live.removeAll('steady')),
      failsSoon(live.ping()),
    ])
    await failsSoon(live.get('steady'))
    proxy.recover()
    await expect.poll(() => live.get('steady').catch(() => undefined)).toEqual(['1'])
  })

  it('replaces a lost connection although it was never closed', async () => {
    proxy.lose('existing')
    await live.get('steady').catch(() => undefined)
    await expect.poll(() => live.get('steady').catch(() => undefined)).toEqual(['1'])
    expect(proxy.accepted()).toBe(2)
  })

  it('makes no command wait for the answers to those before it', async () => {
    const at = { host: proxy.host, port: proxy.port, db: Number(process.env.VITEST_POOL_ID ?? 0) }
    const patient = redisLive(at, () => undefined, {
      ...limits,
      command_ms: 4_000,
      silence_ms: 60_000,
    })
    await patient.get('steady')
    proxy.lose('existing')
    const before = patient.get('steady').catch(() => undefined)
    await setTimeout(100)
    const began = performance.now()
    await expect(patient.get('steady')).rejects.toThrow(StateUnreachable)
    expect(performance.now() - began).toBeLessThan(7_000)
    await before
    await patient.close()
  })

  it('sends the commands of one moment in one packet', async () => {
    await live.get('steady')
    const before = proxy.chunks()
    await Promise.all(Array.from({ length: 50 }, () => live.get('steady')))
    expect(proxy.chunks() - before).toBe(1)
  })

  it('queues only so many commands while there is no connection', async () => {
    proxy.lose('all')
    await failsSoon(live.get('steady'))
    const began = performance.now()
    const failures = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        live.set(`steady-${i}`, '1', 60).then(
          () => expect.fail('it did not fail'),
          (e: Error) => String((e.cause as Error).message),
        ),
      ),
    )
    expect(performance.now() - began).toBeLessThan(SOON_MS)
    expect(
      failures.filter((message) => message.startsWith('Too many commands')).length,
    ).toBeGreaterThanOrEqual(180)
  })
})

describe('live state in Redis behind sentinels', () => {
  it('fails soon when no sentinel answers', async () => {
    const proxy = await faultyProxy({ host: '127.0.0.1', port: 1 })
    proxy.lose('all')
    const sentinels = [{ host: proxy.host, port: proxy.port }]
    const live = redisLive({ sentinels, name: 'primary' }, () => undefined, limits)
    await failsSoon(live.get('steady'))
    await failsSoon(live.get('steady'))
    await live.close()
    proxy.close()
  })
})
