import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import { type Db, undone } from './open.ts'
import { transaction } from './transaction.ts'

let t: Awaited<ReturnType<typeof testDatabase>>
const [first, second] = [randomUUID(), randomUUID()]

const rename = (db: Db, service_provider_sid: string, name: string) =>
  db
    .updateTable('service_providers')
    .set(({ fn, val }) => ({ name: fn<string>('concat', ['name', val(name)]) }))
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()
const names = async () =>
  (
    await t.db
      .selectFrom('service_providers')
      .select('name')
      .where('service_provider_sid', 'in', [first, second])
      .orderBy('name')
      .execute()
  ).map(({ name }) => name)

/** Resolves once this many have come. */
function meeting(people: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let came = 0
  return () => {
    if (++came >= people) resolve()
    return promise
  }
}

describe.runIf(kinds.includes('mysql'))('many transactions on MariaDB', () => {
  beforeEach(async () => {
    t = await testDatabase('mysql')
  })
  afterEach(() => t.close())

  it('leave connections to those who read', async () => {
    const over = Promise.withResolvers<void>()
    let begun = 0
    const many = Array.from({ length: 20 }, () =>
      transaction(t.db, async () => {
        begun += 1
        await over.promise
      }),
    )
    // of the five
    await expect.poll(() => begun).toBe(2)
    expect(await names()).toEqual([])
    over.resolve()
    await Promise.all(many)
    expect(begun).toBe(20)
  })

  it('begin in their turn also after some that failed', async () => {
    const failing = () => transaction(t.db, () => Promise.reject(new Error('no')))
    for (const one of await Promise.allSettled(Array.from({ length: 5 }, failing)))
      expect(one).toMatchObject({ status: 'rejected', reason: new Error('no') })
    expect(await transaction(t.db, async () => 'yes')).toBe('yes')
  })
})

describe.runIf(kinds.includes('mysql'))('a transaction that MariaDB undoes', () => {
  beforeEach(async () => {
    t = await testDatabase('mysql')
    for (const [service_provider_sid, name] of [
      [first, 'one'],
      [second, 'two'],
    ] as const)
      await t.db.insertInto('service_providers').values({ service_provider_sid, name }).execute()
  })
  afterEach(() => t.close())

  it('runs again, and what it did before does not count', async () => {
    const bothHaveOne = meeting(2)
    const seen: Db[] = []
    const inOrder = (sids: string[], name: string) =>
      transaction(t.db, async (tx) => {
        seen.push(tx)
        await rename(tx, sids[0]!, name)
        await bothHaveOne()
        await rename(tx, sids[1]!, name)
      })
    await Promise.all([inOrder([first, second], ' a'), inOrder([second, first], ' b')])
    const [one, two] = await names()
    expect(one).toMatch(/^one( a b| b a)$/)
    expect(two).toBe(one!.replace('one', 'two'))
    expect(seen).toHaveLength(3)
    expect(seen.filter((tx) => undone.has(tx))).toHaveLength(1)
  })

  it('is given up when it is undone again and again, and at once for other errors', async () => {
    let tries = 0
    const deadlock = Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' })
    const failing = (error: unknown) =>
      transaction(t.db, async (tx) => {
        tries++
        await rename(tx, first, ' x')
        throw error
      })
    await expect(failing(deadlock)).rejects.toBe(deadlock)
    expect(tries).toBe(20)
    tries = 0
    await expect(failing(new Error('other'))).rejects.toThrow('other')
    expect(tries).toBe(1)
    expect(await names()).toEqual(['one', 'two'])
  })

  it('keeps its lock while it runs again', async () => {
    let [inside, most, tries] = [0, 0, 0]
    const locked = () =>
      transaction(
        t.db,
        async (tx) => {
          most = Math.max(most, ++inside)
          try {
            await sql`select 1`.execute(tx)
            if (++tries < 4)
              throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' })
          } finally {
            inside--
          }
        },
        { lock: 'one' },
      )
    await Promise.all([locked(), locked(), locked()])
    expect({ most, tries }).toEqual({ most: 1, tries: 6 })
  })
})
