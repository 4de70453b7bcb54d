import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import { LEASE_MS, releaseLease, renewLease, takeLease } from '../billing/intents.ts'
import { hourly } from '../live/hourly.ts'
import type { Live } from '../live/live.ts'
import { memoFor } from '../live/memo-for.ts'
import { tableLive } from '../live/table.ts'
import { databaseNow, steadyNow } from './clock.ts'
import { listing } from './listing.ts'
import { listingMemory } from './listing-memory.ts'

const HOUR_MS = 3_600_000
const realNow = Date.now

/** Sets the wall clock of this process. */
const setAhead = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: realNow() + ms })
}

describe.each(kinds)('a wall clock that jumps an hour, on %s', (kind) => {
  let test: Awaited<ReturnType<typeof testDatabase>>
  let live: Live
  beforeEach(async () => {
    test = await testDatabase(kind)
    live = tableLive(test.db)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await live.close()
    await test.close()
  })

  it.each([HOUR_MS, -HOUR_MS])('changes neither clock (%i)', async (jump) => {
    const before = [steadyNow(), await databaseNow(test.db)]
    setAhead(jump)
    const after = [steadyNow(), await databaseNow(test.db)]
    for (const [i, ms] of after.entries()) {
      expect(ms).toBeGreaterThanOrEqual(before[i]!)
      expect(ms).toBeLessThan(before[i]! + 60_000)
    }
  })

  it.each([HOUR_MS, -HOUR_MS])('keeps and forgets live state all the same (%i)', async (jump) => {
    await live.set('kept', 'a', 600)
    await live.set('short', 'a', 1)
    await live.increment('count', 600)
    setAhead(jump)
    expect(await live.get('kept')).toEqual(['a'])
    expect(await live.increment('count', 600)).toBe(2)
    await live.set('later', 'a', 1)
    await expect.poll(() => live.get('short', 'later')).toEqual([undefined, undefined])
    expect(await live.get('kept')).toEqual(['a'])
  })

  it('leaves no total of a list frozen', async () => {
    const memory = listingMemory()
    const total = async () =>
      (
        await listing({
          db: test.db,
          table: 'applications',
          sid: 'application_sid',
          sortable: ['name'],
          query: {},
          matching: test.db.selectFrom('applications'),
          rows: test.db.selectFrom('applications').selectAll(),
          present: (rows) => rows,
        }).page(1, 5, memory)
      ).total
    setAhead(HOUR_MS)
    const before = await total()
    vi.useRealTimers()
    await test.db
      .insertInto('applications')
      .values({ application_sid: randomUUID(), name: 'added elsewhere' })
      .execute()
    await expect.poll(total).toBe(before + 1)
  })

  it('leaves no lease held', async () => {
    setAhead(HOUR_MS)
    const lease = (await takeLease(test.db, 'one'))!
    expect(await takeLease(test.db, 'one')).toBeUndefined()
    vi.useRealTimers()
    expect(await takeLease(test.db, 'one')).toBeUndefined()
    await releaseLease(test.db, lease)
    expect(await takeLease(test.db, 'one')).toBeDefined()
  })

  it('takes no lease that began after it read the time', async () => {
    const now = await databaseNow(test.db)
    const lease = (await takeLease(test.db, 'one', now))!
    for (let i = 0; i < 3; i++) await renewLease(test.db, lease)
    expect(await takeLease(test.db, 'one', now - 5)).toBeUndefined()
  })

  it('takes a lease that a wrong clock stored', async () => {
    const now = await databaseNow(test.db)
    expect(await takeLease(test.db, 'one', now + HOUR_MS)).toBeDefined()
    expect(await takeLease(test.db, 'one', now)).toBeDefined()
    expect(await takeLease(test.db, 'one', now + LEASE_MS - 1)).toBeUndefined()
  })

  it('reads again what is remembered for a while', async () => {
    let reads = 0
    const read = memoFor(async () => ++reads, 20)
    setAhead(HOUR_MS)
    await read()
    vi.useRealTimers()
    await expect.poll(read).toBe(2)
  })

  it('lets an hourly limit count on', async () => {
    expect(await hourly({ live }, 'things', 1)).toBe(0)
    setAhead(HOUR_MS)
    expect(await hourly({ live }, 'things', 1)).toBe(0)
    vi.useRealTimers()
    expect(await hourly({ live }, 'things', 1)).toBeGreaterThan(0)
  })
})
