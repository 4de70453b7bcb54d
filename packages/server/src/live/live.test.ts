import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import { newWatch } from '../db/watched.ts'
import type { Live } from './live.ts'
import { redisLive } from './redis.ts'
import { tableLive } from './table.ts'

const url = process.env.TEST_REDIS_URL ? new URL(process.env.TEST_REDIS_URL) : undefined

async function inTable(kind: (typeof kinds)[number]) {
  const { db, close } = await testDatabase(kind)
  return { live: tableLive(db), close }
}

async function inRedis(at: URL) {
  const db = Number(process.env.VITEST_POOL_ID ?? 0)
  const live = redisLive({ host: at.hostname, port: Number(at.port), db }, () => undefined)
  await live.removeAll('')
  return { live, close: async () => undefined }
}

describe.each([
  ...kinds.map((kind) => ({ where: `a table of ${kind}`, open: () => inTable(kind) })),
  ...(url ? [{ where: 'Redis', open: () => inRedis(url) }] : []),
])('counts in $where', ({ open }) => {
  let live: Live
  let close: () => Promise<void>
  beforeEach(async () => {
    ;({ live, close } = await open())
  })
  afterEach(async () => {
    await live.close()
    await close()
  })

  it('go up together', async () => {
    expect(await live.increment('b', 60)).toBe(1)
    expect(await live.incrementAll(['a', 'b', 'c'], 60)).toEqual([1, 2, 1])
    expect(await live.incrementAll(['c', 'a'], 60)).toEqual([2, 2])
    expect(await live.get('a', 'b', 'c')).toEqual(['2', '2', '2'])
  })

  it('miss nothing when many are changed at once', async () => {
    const keys = ['a', 'b', 'c']
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => live.incrementAll(i % 2 ? keys : keys.toReversed(), 60)),
    )
    expect(await live.get(...keys)).toEqual(['20', '20', '20'])
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => live.decrementAll(i % 2 ? ['a', 'b'] : ['b', 'a'])),
    )
    expect(await live.get(...keys)).toEqual(['10', '10', '20'])
  })

  it('go down only while they are there, and others are removed with them', async () => {
    await live.incrementAll(['a', 'b', 'other'], 60)
    await live.increment('a', 60)
    await live.decrementAll(['a', 'never'], { remove: ['b', 'neither'] })
    expect(await live.get('a', 'b', 'other', 'never')).toEqual(['1', undefined, '1', undefined])
    await live.decrementAll(['a', 'other'])
    expect(await live.get('a', 'other')).toEqual(['0', '0'])
  })

  it('begin anew when they have expired, which each change puts off', async () => {
    const prolong = async () => {
      await live.removeAll('')
      await live.incrementAll(['short', 'long'], 1)
      return live.increment('long', 60)
    }
    // once more if a busy machine takes longer than it lasts
    await expect.poll(prolong).toBe(2)
    await expect.poll(() => live.get('short')).toEqual([undefined])
    await live.decrementAll(['short', 'long'])
    expect(await live.incrementAll(['short', 'long'], 60)).toEqual([1, 2])
  })
})

it('waits for the disk for what may be used once, not for each failed try (SQLite)', async () => {
  const statements: string[] = []
  const watch = newWatch()
  const { db, close } = await testDatabase('sqlite', watch)
  const live = tableLive(db)
  watch.statement = (text, run) => {
    statements.push(text)
    return run()
  }
  const isSynced = async (work: Promise<unknown>) => {
    statements.length = 0
    await work
    expect(statements).toContain('commit')
    return !statements.includes('pragma synchronous = normal')
  }
  expect(await isSynced(live.increment('used', 60))).toBe(true)
  expect(await isSynced(live.set('kept', '1', 60))).toBe(true)
  expect(await isSynced(live.incrementAll(['tries', 'more'], 60))).toBe(false)
  expect(await isSynced(live.decrementAll(['tries'], { remove: ['more'] }))).toBe(false)
  await live.close()
  await close()
})
