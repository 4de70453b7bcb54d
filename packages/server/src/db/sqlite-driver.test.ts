import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bulk, threadBulk } from './bulk.ts'
import { type Db, isDiskFull, isDuplicate, openDb } from './open.ts'
import { openSqlite } from './open-sqlite.ts'
import { transaction } from './transaction.ts'
import { turns } from './turns.ts'
import { newWatch } from './watched.ts'
import type { Write } from './writes.ts'

let folder: string
let file: string
let db: Db
let bulk: Bulk
let written: (string | undefined)[]
/** Statements that have begun. */
let started: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
  file = join(folder, 'switchroom.db')
  written = []
  const watch = newWatch()
  watch.writes.add((writes: readonly Write[]) => void written.push(...writes.map((w) => w.table)))
  watch.statement = (_, run) => {
    started++
    return run()
  }
  const writing = turns()
  db = openDb({ kind: 'sqlite', file }, undefined, watch, writing)
  bulk = threadBulk(file, watch, writing)
  await sql`create table switchroom_state (name text primary key, value text)`.execute(db)
  written.length = 0
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const add = (to: Db, name: string) =>
  to.insertInto('switchroom_state').values({ name, value: 'created' }).execute()
const names = async (from = db) =>
  (await from.selectFrom('switchroom_state').select('name').orderBy('name').execute()).map(
    (row) => row.name,
  )

describe.each([
  {
    what: 'a transaction',
    begin: (work: (tx: Db) => Promise<unknown>) => db.transaction().execute(work),
  },
  {
    what: 'an unsynced transaction',
    begin: (work: (tx: Db) => Promise<unknown>) => transaction(db, work, { isSynced: false }),
  },
  {
    what: 'a bulk transaction',
    begin: (work: (tx: Db) => Promise<unknown>) => bulk((transact) => transact(work, {})),
  },
])('$what on a SQLite file', ({ begin }) => {
  it('lets others read what was there before, and keeps writers waiting', async () => {
    let order: string[] = []
    let other: Promise<unknown> | undefined
    await begin(async (tx) => {
      await add(tx, 'one')
      other = add(db, 'two').then(() => order.push('two'))
      for (let i = 0; i < 10; i++) await nextTurn()
      expect(await names()).toEqual([])
      expect(await names(tx)).toEqual(['one'])
      order = ['one']
    })
    await other
    expect(order).toEqual(['one', 'two'])
    expect(await names()).toEqual(['one', 'two'])
    expect(written).toEqual(['switchroom_state', 'switchroom_state'])
  })

  it('leaves nothing when it fails, with the reason', async () => {
    await add(db, 'one')
    const failed = begin(async (tx) => {
      await add(tx, 'two')
      await add(tx, 'one')
    })
    await expect(failed.catch(isDuplicate)).resolves.toEqual({ columns: ['name'] })
    expect(await names()).toEqual(['one'])
    await add(db, 'three')
    expect(await names()).toEqual(['one', 'three'])
  })

  it('says that the disk is full, although SQLite has rolled back by itself', async () => {
    const limit = async (tx: Db, pages: number) =>
      void (await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx))
    const failed = begin(async (tx) => {
      await limit(tx, 20)
      // all that was written no longer fits into the cache
      await sql`pragma cache_size = 4`.execute(tx)
      for (let i = 0; i < 100; i++) await add(tx, `${i} ${'long '.repeat(1_000)}`)
    })
    await expect(failed.catch(isDiskFull)).resolves.toBe(true)
    expect(await names()).toEqual([])
  })

  it('goes on after a value that no database takes', async () => {
    await begin(async (tx) => {
      await expect(sql`select ${Symbol('none')}`.execute(tx)).rejects.toThrow()
      await add(tx, 'one')
      expect(await names(tx)).toEqual(['one'])
    })
    expect(await names()).toEqual(['one'])
  })

  it('waits for another process without blocking this one', async () => {
    const other = openSqlite(file)
    other.exec('begin immediate')
    started = 0
    const adding = begin((tx) => add(tx, 'one'))
    await expect.poll(() => started, { interval: 1 }).toBeGreaterThan(0)
    // if it waited in SQLite, for as long as a write may wait, it would have failed by now
    for (let i = 0; i < 10; i++) await nextTurn()
    expect(await names()).toEqual([])
    other.exec('commit')
    other.close()
    await adding
    expect(await names()).toEqual(['one'])
  })
})

describe('a SQLite file', () => {
  it('gives a long read one state, and reads beside it the newest', async () => {
    for (const name of ['one', 'two', 'three']) await add(db, name)
    const streamed: string[] = []
    for await (const row of db.selectFrom('switchroom_state').select('name').stream()) {
      streamed.push(row.name)
      await add(db, `after ${row.name}`)
      expect(await names()).toHaveLength(3 + streamed.length)
    }
    expect(streamed).toHaveLength(3)
  })

  it('returns the current columns after a table changed', async () => {
    await add(db, 'one')
    const all = () => db.selectFrom('switchroom_state').selectAll().execute()
    expect(await all()).toHaveLength(1)
    await sql`alter table switchroom_state add column at datetime`.execute(db)
    await sql`update switchroom_state set at = '2026-01-31 12:00:00'`.execute(db)
    expect(await all()).toEqual([{ name: 'one', value: 'created', at: '2026-01-31T12:00:00.000Z' }])
  })

  it('keeps nobody else’s writes in a transaction that was left open', async () => {
    await db.connection().execute((connection) => sql`begin`.execute(connection))
    await add(db, 'one')
    const other = openSqlite(file)
    expect(other.prepare('select name from switchroom_state').all()).toHaveLength(1)
    other.close()
    await db.transaction().execute((tx) => add(tx, 'two'))
    expect(await names()).toEqual(['one', 'two'])
  })
})

describe('an unsynced transaction', () => {
  const SYNCED = { synchronous: 2 }
  const UNSYNCED = { synchronous: 1 }
  const level = async (of: Db) =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(of)).rows[0]

  it.each([false, true])('leaves the next one synced (fails: %s)', async (fails) => {
    await transaction(
      db,
      async (tx) => {
        expect(await level(tx)).toEqual(UNSYNCED)
        await add(tx, 'one')
        if (fails) await add(tx, 'one')
      },
      { isSynced: false },
    ).catch((e) => expect(isDuplicate(e)).toBeTruthy())
    expect(await names()).toEqual(fails ? [] : ['one'])
    await db.transaction().execute(async (tx) => expect(await level(tx)).toEqual(SYNCED))
    expect(await level(db)).toEqual(SYNCED)
  })
})
