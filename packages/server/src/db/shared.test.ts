import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chosen, mysqlAt, testDatabase } from '../../test/database.ts'
import { recordStatements } from '../../test/statements.ts'
import { type Db, leaveToEnd, openDb } from './open.ts'
import { sharedTransaction } from './shared.ts'
import { transaction } from './transaction.ts'
import { newWatch, type Watch } from './watched.ts'

const recorded = recordStatements()
let t: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let folder: string
/** A statement that the database does not carry out, once. */
let refused: RegExp | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-shared-'))
  refused = undefined
  const statement: Watch['statement'] = (text, run) => {
    if (!refused?.test(text)) return recorded.tracing.statement(text, run)
    refused = undefined
    return Promise.reject(new Error('refused'))
  }
  const watch = { ...newWatch(), statement }
  t = await testDatabase(chosen, watch, join(folder, 'switchroom.db'))
  db = t.db
})
afterEach(async () => {
  recorded.after = undefined
  await t.close()
  rmSync(folder, { recursive: true })
})

const WRITERS = 32
const writers = Array.from({ length: WRITERS }, (_, i) => i)
const nameOf = (i: number) => `provider ${i}`
const add = (tx: Db, i: number) =>
  tx
    .insertInto('service_providers')
    .values({ service_provider_sid: `sid-${i}`, name: nameOf(i) })
    .execute()
const names = async () =>
  (
    await db
      .selectFrom('service_providers')
      .select('name')
      .where('service_provider_sid', 'like', 'sid-%')
      .execute()
  )
    .map(({ name }) => name)
    .sort()
const times = (statements: readonly string[], what: RegExp) =>
  statements.filter((text) => what.test(text)).length

describe('changes at the same time', () => {
  it('share one transaction', async () => {
    const statements = await recorded.during(() =>
      Promise.all(writers.map((i) => sharedTransaction(db, (tx) => add(tx, i)))),
    )
    expect(times(statements, /^begin/)).toBe(1)
    expect(times(statements, /^commit/)).toBe(1)
    expect(await names()).toEqual(writers.map(nameOf).sort())
  })

  it('resolve only after all are committed', async () => {
    const resolved: number[] = []
    let resolvedBefore: number[] | undefined
    recorded.after = async (text) => {
      if (/^commit/.test(text)) resolvedBefore ??= [...resolved]
    }
    await Promise.all(
      writers.map(async (i) => {
        await sharedTransaction(db, (tx) => add(tx, i))
        resolved.push(i)
      }),
    )
    expect(resolvedBefore).toEqual([])
    expect(resolved).toEqual(writers)
  })

  it('are each undone alone when they fail', async () => {
    const outcomes = await Promise.allSettled(
      writers.map((i) =>
        sharedTransaction(db, async (tx) => {
          await add(tx, i)
          if (i % 2) throw new Error(`not ${i}`)
          return i
        }),
      ),
    )
    expect(outcomes).toEqual(
      writers.map((i) =>
        i % 2
          ? { status: 'rejected', reason: new Error(`not ${i}`) }
          : { status: 'fulfilled', value: i },
      ),
    )
    expect(await names()).toEqual(
      writers
        .filter((i) => i % 2 === 0)
        .map(nameOf)
        .sort(),
    )
  })

  it('run deferred work once, for those that succeeded', async () => {
    const done: string[][] = []
    const note = async (tx: Db, items: string[]) => {
      done.push(items)
      await add(tx, 100)
    }
    await Promise.allSettled(
      [0, 1, 2].map((i) =>
        sharedTransaction(db, async (tx) => {
          expect(leaveToEnd(tx, note, nameOf(i))).toBe(true)
          if (i === 1) throw new Error('no')
        }),
      ),
    )
    expect(done).toEqual([[nameOf(0), nameOf(2)]])
    expect(await names()).toEqual([nameOf(100)])
    expect(await transaction(db, async (tx) => leaveToEnd(tx, note, ''))).toBe(false)
  })

  it('run alone when deferred work fails for one of them', async () => {
    const note = async (_: Db, items: number[]) => {
      if (items.includes(1)) throw new Error('no')
    }
    const outcomes = await Promise.allSettled(
      [0, 1, 2].map((i) =>
        sharedTransaction(db, async (tx) => {
          await add(tx, i)
          if (!leaveToEnd(tx, note, i)) await note(tx, [i])
        }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await names()).toEqual([nameOf(0), nameOf(2)])
  })

  it('all fail when they cannot be committed, and do not run again', async () => {
    refused = /^commit/
    const outcomes = await Promise.allSettled(
      [0, 1, 2].map((i) => sharedTransaction(db, (tx) => add(tx, i))),
    )
    expect(outcomes).toEqual(
      [0, 1, 2].map(() => ({ status: 'rejected', reason: new Error('refused') })),
    )
    expect(await names()).toEqual([])
  })

  it('go on after one that could not begin', async () => {
    refused = /^begin/
    await expect(sharedTransaction(db, (tx) => add(tx, 0))).rejects.toThrow('refused')
    await sharedTransaction(db, (tx) => add(tx, 1))
    expect(await names()).toEqual([nameOf(1)])
  })

  it('under one lock see the change before them', async () => {
    await sharedTransaction(db, (tx) => add(tx, 0))
    const seen = await Promise.all(
      writers.map((i) =>
        sharedTransaction(
          db,
          async (tx) => {
            const { name } = await tx
              .selectFrom('service_providers')
              .select('name')
              .where('service_provider_sid', '=', 'sid-0')
              .executeTakeFirstOrThrow()
            await tx
              .updateTable('service_providers')
              .set({ name: `after ${i}` })
              .where('service_provider_sid', '=', 'sid-0')
              .execute()
            return name
          },
          { lock: 'one' },
        ),
      ),
    )
    expect(seen).toEqual([nameOf(0), ...writers.slice(0, -1).map((i) => `after ${i}`)])
  })
})

describe.runIf(chosen === 'mysql')('on MariaDB', () => {
  it('do not wait for a lock that only one of them needs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const other = openDb(mysqlAt('test'))
    const holding = Promise.withResolvers<void>()
    const holder = transaction(
      other,
      async () => {
        holding.resolve()
        await promise
      },
      { lock: 'one' },
    )
    await holding.promise
    const locked = sharedTransaction(db, (tx) => add(tx, 0), { lock: 'one' })
    await Promise.all([1, 2, 3].map((i) => sharedTransaction(db, (tx) => add(tx, i))))
    expect(await names()).toEqual([1, 2, 3].map(nameOf))
    resolve()
    await Promise.all([holder, locked])
    expect(await names()).toEqual([0, 1, 2, 3].map(nameOf))
    await other.destroy()
  })

  it('take their locks in one statement, and give them back', async () => {
    const statements = await recorded.during(() =>
      Promise.all(writers.map((i) => sharedTransaction(db, (tx) => add(tx, i), { lock: `${i}` }))),
    )
    expect(times(statements, /get_lock/)).toBe(1)
    expect(times(statements, /release_lock/)).toBe(1)
    expect(times(statements, /^commit/)).toBe(1)
    for (const i of writers) await transaction(db, () => Promise.resolve(), { lock: `${i}` })
  })

  it('run again, all of them, when the database undid them', async () => {
    let tries = 0
    const results = await Promise.all(
      [0, 1, 2].map((i) =>
        sharedTransaction(db, async (tx) => {
          await add(tx, i)
          if (i === 2 && ++tries === 1) {
            await sql`rollback`.execute(tx)
            throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' })
          }
          return i
        }),
      ),
    )
    expect(results).toEqual([0, 1, 2])
    expect(await names()).toEqual([0, 1, 2].map(nameOf))
  })

  it('do not wait for one whose row somebody else holds', async () => {
    await sharedTransaction(db, (tx) => add(tx, 0))
    const { promise, resolve } = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    const rename = (tx: Db) =>
      tx
        .updateTable('service_providers')
        .set({ name: 'renamed' })
        .where('service_provider_sid', '=', 'sid-0')
        .execute()
    const other = openDb(mysqlAt('test'))
    const holder = transaction(other, async (tx) => {
      await rename(tx)
      holding.resolve()
      await promise
    })
    await holding.promise
    const earlier = recorded.begun.length
    const held = sharedTransaction(db, rename)
    await expect.poll(() => times(recorded.begun.slice(earlier), /^update/)).toBe(1)
    await sharedTransaction(db, (tx) => add(tx, 1))
    expect(await names()).toEqual([nameOf(0), nameOf(1)])
    resolve()
    await Promise.all([holder, held])
    await other.destroy()
  })
})
