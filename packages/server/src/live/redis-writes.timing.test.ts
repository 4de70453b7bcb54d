import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultyProxy } from '../../test/stand-ins/faulty-proxy.ts'
import { ANYTHING, type Write, type WriteListener } from '../db/writes.ts'
import type { RedisLimits } from './redis.ts'
import { type SharedWrites, sharedWrites } from './redis-writes.ts'

const limits: RedisLimits = {
  command_ms: 1_000,
  silence_ms: 800,
  connect_ms: 800,
  pause_ms: 50,
  max_waiting: 20,
}
const url = process.env.TEST_REDIS_URL ? new URL(process.env.TEST_REDIS_URL) : undefined

/** A process: the writes it was told of, and its own way to write. */
type Process = { told: Write[]; write: WriteListener; shared: SharedWrites }

describe.runIf(url)('what processes write', () => {
  const database = `writes ${process.env.VITEST_POOL_ID}`
  let proxy: Awaited<ReturnType<typeof faultyProxy>>
  const open: SharedWrites[] = []
  const at = { host: url?.hostname ?? '', port: Number(url?.port) }

  /** Starts one, which hears nothing of before. */
  async function start(of = database, { host, port } = at): Promise<Process> {
    const told: Write[] = []
    const listeners = new Set<WriteListener>([(writes) => void told.push(...writes)])
    const shared = sharedWrites({ host, port }, of, listeners, () => undefined, limits)
    open.push(shared)
    await expect.poll(() => told).toEqual([ANYTHING])
    told.length = 0
    const [, write] = [...listeners]
    return { told, write: write!, shared }
  }

  beforeEach(async () => {
    proxy = await faultyProxy(at)
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
    proxy.close()
  })

  it('is heard by the others, and by nobody who has another database', async () => {
    const [a, b, other] = await Promise.all([start(), start(), start('another')])
    const inserted: Write = { table: 'accounts', change: 'insert', sids: ['1', '2'] }
    const updated: Write = { table: 'users', change: 'update', columns: ['name'] }
    await a.write([inserted, updated])
    await b.write([ANYTHING])
    await Promise.all([a.shared.heard(), b.shared.heard(), other.shared.heard()])
    expect(b.told).toEqual([inserted, updated])
    expect(a.told).toEqual([ANYTHING])
    expect(other.told).toEqual([])
  })

  it('leaves out what nobody remembers', async () => {
    const [a, b] = await Promise.all([start(), start()])
    await a.write([{ table: 'switchroom_live', change: 'update', columns: ['value'] }])
    await b.shared.heard()
    expect(b.told).toEqual([])
  })

  it('may have been anything while the connection was lost', async () => {
    const [a, b] = await Promise.all([start(), start(database, proxy)])
    proxy.lose('all')
    await expect(b.shared.heard()).rejects.toThrow()
    await a.write([{ table: 'accounts', change: 'delete' }])
    expect(b.told).toEqual([])
    proxy.recover()
    const isHeard = () =>
      b.shared.heard().then(
        () => true,
        () => false,
      )
    await expect.poll(isHeard).toBe(true)
    expect(b.told).toContainEqual(ANYTHING)
    await a.write([{ table: 'accounts', change: 'delete' }])
    await b.shared.heard()
    expect(b.told.at(-1)).toMatchObject({ table: 'accounts', change: 'delete' })
  })

  it('holds nobody up for long, and fails nobody, while Redis is away', async () => {
    const b = await start(database, proxy)
    proxy.lose('all')
    const began = performance.now()
    await b.write([ANYTHING])
    expect(performance.now() - began).toBeLessThan(8_000)
    proxy.recover()
  })

  it('is heard at the latest when somebody asks, however many do', async () => {
    const [a, b] = await Promise.all([start(), start()])
    for (let i = 0; i < 50; i++) {
      const write: Write = { table: `t${i}`, change: 'delete' }
      await a.write([write])
      await Promise.all(Array.from({ length: 20 }, () => b.shared.heard()))
      expect(b.told.at(-1)).toMatchObject(write)
    }
  })

  it('is told again once Redis is back', async () => {
    const [a, b] = await Promise.all([start(database, proxy), start()])
    proxy.lose('all')
    await a.write([{ table: 'accounts', change: 'delete' }])
    proxy.recover()
    await expect.poll(() => b.told).toContainEqual(ANYTHING)
  })

  it('may be anything if it is not understood', async () => {
    const [a, b] = await Promise.all([start(), start()])
    await a.write([{ table: 'accounts', change: 'truncated' as 'insert' }])
    await b.shared.heard()
    expect(b.told).toEqual([ANYTHING])
  })
})
