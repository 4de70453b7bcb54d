import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt, testDatabase } from '../../test/database.ts'
import { listing } from '../db/listing.ts'
import { type ListingMemory, listingMemory } from '../db/listing-memory.ts'
import { type Db, openDb } from '../db/open.ts'
import { newWatch } from '../db/watched.ts'
import { followReplica, type Replica } from './replica.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const BEATS = 'switchroom_replica_beats'
const COPIED = ['applications', BEATS]

/** A replica that copies its database on command. */
describe.runIf(kinds.includes('mysql'))('lists from a replica', () => {
  let t: Awaited<ReturnType<typeof testDatabase>>
  let there: Db
  let replica: Replica
  let memory: ListingMemory
  /** Statements sent to the replica. */
  let asked: string[]
  let isHeard: boolean
  let copying: NodeJS.Timeout | undefined
  let at: ReturnType<typeof mysqlAt>
  /** Writes without telling anybody. */
  let direct: Db

  beforeEach(async () => {
    at = mysqlAt('replica_test')
    const watch = newWatch()
    t = await testDatabase('mysql', watch)
    await emptyMysql(at)
    direct = openDb(at)
    for (const table of COPIED)
      await sql`create table ${sql.table(table)} like ${sql.table(`${mysqlAt('test').database}.${table}`)}`.execute(
        direct,
      )
    asked = []
    const itsWatch = newWatch()
    itsWatch.statement = (text, run) => {
      if (!text.includes(BEATS)) asked.push(text)
      return run()
    }
    there = openDb(at, undefined, itsWatch)
    isHeard = true
    replica = followReplica(openDb(mysqlAt('test')), there, watch.writes, async () => {
      if (!isHeard) throw new Error('not heard')
    })
    memory = listingMemory({ readReplica: replica.read })
    watch.writes.add(memory.wrote)
  })
  afterEach(async () => {
    clearInterval(copying)
    await replica.close()
    await direct.destroy()
    await t.close()
  })

  async function copy(...tables: string[]) {
    const [from, to] = [mysqlAt('test').database, at.database]
    for (const table of tables)
      await sql`replace into ${sql.table(`${to}.${table}`)} select * from ${sql.table(`${from}.${table}`)}`.execute(
        direct,
      )
  }
  /** Makes the replica follow the database in these tables. */
  function follow(...tables: string[]) {
    clearInterval(copying)
    copying = setInterval(() => copy(...tables).catch(() => undefined), 10)
  }
  const isCurrent = () => expect.poll(() => 'behind_ms' in (replica.state() ?? {})).toBe(true)

  const add = (name: string) =>
    t.db
      .insertInto('applications')
      .values({ application_sid: randomUUID(), name, account_sid: ACCOUNT })
      .execute()
  const page = async (scope = ACCOUNT) => {
    const { data, total } = await listing({
      db: t.db,
      table: 'applications',
      sid: 'application_sid',
      sortable: ['name'],
      query: {},
      matching: t.db.selectFrom('applications').where('account_sid', '=', scope),
      rows: t.db.selectFrom('applications').selectAll('applications'),
      present: (rows) => rows,
    }).page(1, 10, memory)
    return { names: data.map(({ name }) => name), total }
  }

  /** Waits until this list is read from the replica. */
  async function isAsked() {
    const ask = async () => {
      asked = []
      memory.forget()
      await page()
      return asked.length
    }
    await expect.poll(ask).toBe(2)
    memory.forget()
    asked = []
  }

  it('are found there, and their rows read from the database', async () => {
    await add('one')
    follow(...COPIED)
    await isAsked()
    await sql`update ${sql.table(`${mysqlAt('test').database}.applications`)} set name = 'renamed'`.execute(
      direct,
    )
    clearInterval(copying)
    expect(await page()).toEqual({ names: ['renamed'], total: 1 })
    expect(asked.sort()).toEqual([
      expect.stringMatching(/^select `applications`.`name` as `list_value`/),
      expect.stringMatching(/^select count\(\*\)/),
    ])
  })

  it('are read from the database until the replica has what was written to them', async () => {
    follow(BEATS)
    await isCurrent()
    await add('one')
    expect(await page()).toEqual({ names: ['one'], total: 1 })
    expect(asked).toEqual([])
    // it has the later beats, and so everything before them
    await copy('applications')
    await isAsked()
    expect(await page()).toEqual({ names: ['one'], total: 1 })
  })

  it('are read there although something else was written', async () => {
    await add('one')
    follow(...COPIED)
    await isAsked()
    await t.db.updateTable('users').set({ name: 'x' }).where('name', '=', 'y').execute()
    expect(await page()).toEqual({ names: ['one'], total: 1 })
    expect(asked).toHaveLength(2)
  })

  it('show no row that has left the caller’s scope, whatever the replica says', async () => {
    await add('one')
    follow(...COPIED)
    await isAsked()
    clearInterval(copying)
    // by a program that tells nobody
    await sql`update ${sql.table(`${mysqlAt('test').database}.applications`)} set account_sid = null`.execute(
      direct,
    )
    expect((await page()).names).toEqual([])
    expect(asked).toHaveLength(2)
  })

  it('are read from the database while others are not heard, or the replica is behind', async () => {
    await add('one')
    follow(...COPIED)
    await isAsked()
    isHeard = false
    await expect
      .poll(() => replica.state())
      .toMatchObject({
        problem: { message: 'not heard' },
      })
    expect(await page()).toEqual({ names: ['one'], total: 1 })
    expect(asked).toEqual([])
    isHeard = true
    await isAsked()
    clearInterval(copying)
    await expect
      .poll(() => replica.state())
      .toMatchObject({
        problem: { message: 'the replica is more than 5 seconds behind' },
      })
    memory.forget()
    expect(await page()).toEqual({ names: ['one'], total: 1 })
    expect(asked).toEqual([])
  })

  it('are read from the database when the replica fails in the middle', async () => {
    await add('one')
    follow(...COPIED)
    await isAsked()
    clearInterval(copying)
    await sql`drop table applications`.execute(direct)
    expect(await page()).toEqual({ names: ['one'], total: 1 })
    expect(replica.state()).toMatchObject({ problem: { code: 'ER_NO_SUCH_TABLE' } })
  })

  it('leaves no row behind when it ends', async () => {
    follow(...COPIED)
    await isCurrent()
    const rows = () => t.db.selectFrom(BEATS).selectAll().execute()
    expect(await rows()).toHaveLength(1)
    await replica.close()
    expect(await rows()).toEqual([])
  })
})
