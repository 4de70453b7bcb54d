import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt } from '../../test/database.ts'
import { faultyProxy } from '../../test/stand-ins/faulty-proxy.ts'
import { REQUEST_LIMITS } from './mysql-pool.ts'
import { type Db, isUnreachable, openDb } from './open.ts'
import { transaction } from './transaction.ts'

const limits = { suspect_ms: 500, probe_ms: 1_500, statement_ms: 20_000, wait_ms: 3_000 }
/** A hung server keeps a request waiting for two or three seconds. The others of these limits would take longer than this. */
const SOON_MS = 10_000
/** Time for a statement on a healthy server. */
const STATEMENT_MS = 3_000

it('answers within three seconds under the limits of requests', () => {
  expect(REQUEST_LIMITS.suspect_ms + REQUEST_LIMITS.probe_ms).toBeLessThan(3_000)
})

describe.runIf(kinds.includes('mysql'))('a pool of MariaDB connections', () => {
  let proxy: Awaited<ReturnType<typeof faultyProxy>>
  let open: (more?: Partial<typeof limits>) => Db
  let db: Db
  /** Another way to the same database. */
  let direct: Db
  beforeEach(async () => {
    const at = mysqlAt('limits_test')
    await emptyMysql(at)
    proxy = await faultyProxy(at)
    open = (more = {}) =>
      openDb(
        { ...at, connectionLimit: 3, host: proxy.host, port: proxy.port },
        { ...limits, ...more },
      )
    db = open()
    direct = openDb(at)
    await sql`create table things (name varchar(64) primary key)`.execute(direct)
  })
  afterEach(async () => {
    await db.destroy()
    await direct.destroy()
    proxy.close()
  })

  const read = () => sql<{ name: string }>`select name from things`.execute(db)
  const add = (on: Db) => sql`insert into things values (${randomUUID()})`.execute(on)
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from things`.execute(direct)).rows[0]!.n
  /** The error of a rejection that came soon. */
  async function failsSoon(work: Promise<unknown>) {
    const began = performance.now()
    const error = await work.then(
      () => expect.fail('it did not fail'),
      (e: unknown) => e,
    )
    expect(isUnreachable(error), String(error)).toBe(true)
    expect(performance.now() - began).toBeLessThan(SOON_MS)
  }

  it('fails soon when nothing gets through, and recovers at once', async () => {
    await Promise.all([read(), read(), read()])
    proxy.lose('all')
    // more than there are connections
    await Promise.all(Array.from({ length: 8 }, () => failsSoon(read())))
    await failsSoon(read())
    proxy.recover()
    const began = performance.now()
    await read()
    expect(performance.now() - began).toBeLessThan(SOON_MS)
    await Promise.all(Array.from({ length: 8 }, read))
  })

  it('fails soon for transactions in their turn, and lets them begin again', async () => {
    const change = () => transaction(db, (tx) => add(tx))
    await Promise.all([change(), change(), change()])
    proxy.lose('all')
    await Promise.all(Array.from({ length: 8 }, () => failsSoon(change())))
    proxy.recover()
    await Promise.all(Array.from({ length: 8 }, change))
    expect(await count()).toBe(11)
  })

  it('throws all connections away when one is lost, and opens new ones', async () => {
    await Promise.all([read(), read(), read()])
    proxy.lose('existing')
    await failsSoon(read())
    // the other two were as old
    await Promise.all([read(), read(), read()])
  })

  it('rolls back a transaction whose connection is lost, and frees its locks', async () => {
    let reached = false
    const lost = transaction(
      db,
      async (tx) => {
        await add(tx)
        proxy.lose('existing')
        reached = true
        await add(tx)
      },
      { lock: 'name' },
    )
    await failsSoon(lost)
    expect(reached).toBe(true)
    await transaction(db, add, { lock: 'name' })
    expect(await count()).toBe(1)
  })

  it('commits nothing when the commit is lost on the way', async () => {
    await failsSoon(
      db.transaction().execute(async (tx) => {
        await add(tx)
        proxy.lose('existing')
      }),
    )
    await read()
    expect(await count()).toBe(0)
  })

  const limitStatements = async () => {
    await db.destroy()
    db = open({ statement_ms: STATEMENT_MS })
  }

  it('waits for a statement that the server is still running, up to its limit', async () => {
    await limitStatements()
    await sql`select sleep(0.6)`.execute(db)
    const began = performance.now()
    await expect(sql`select sleep(60)`.execute(db)).rejects.toSatisfy(isUnreachable)
    expect(performance.now() - began).toBeGreaterThan(STATEMENT_MS - 50)
    await read()
  })

  it('ends a statement on the server too', async () => {
    await limitStatements()
    await expect(sql`select sleep(61)`.execute(db)).rejects.toSatisfy(isUnreachable)
    const sleeping = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from information_schema.processlist where info = 'select sleep(61)'`.execute(
        direct,
      )
      return rows[0]!.n
    }
    // the server ends it a moment after the request
    await expect.poll(sleeping).toBe(0)
  })

  it('limits the wait for a connection while all are busy', async () => {
    await Promise.all([read(), read(), read()])
    const busy = [1, 2, 3].map(() => sql`select sleep(15)`.execute(db))
    await failsSoon(read())
    await Promise.all(busy)
    await read()
  })

  it('throws away connections to a server that became read-only', async () => {
    await Promise.all([read(), read(), read()])
    const before = proxy.accepted()
    const readOnly = db
      .transaction()
      .setAccessMode('read only')
      .execute((tx) => add(tx))
    await expect(readOnly).rejects.toSatisfy(isUnreachable)
    await Promise.all([read(), read(), read()])
    expect(proxy.accepted()).toBe(before + 3)
  })

  it('closes although nothing gets through', async () => {
    await read()
    proxy.lose('all')
    const began = performance.now()
    await db.destroy()
    expect(performance.now() - began).toBeLessThan(SOON_MS)
  })

  it('reads the same by prepared statements', async () => {
    await sql`create table kinds (sid char(36) primary key, flag tinyint(1), small smallint unsigned,
      big bigint, price decimal(10,2), at datetime, stamped timestamp null, zero datetime, day date, spent time,
      kind enum('a', 'b'), long_text text, bytes varbinary(20), none varchar(5), doc json)`.execute(
      direct,
    )
    await direct.connection().execute(async (connection) => {
      await sql`set session sql_mode = ''`.execute(connection)
      await sql`insert into kinds values ('one', 1, 65535, ${2 ** 40}, 1.25, '2026-01-31 12:00:00',
        '2026-01-31 12:00:01', '0000-00-00 00:00:00', '2026-01-31', '01:02:03', 'b', 'ä€', 'bytes', null,
        '{"a": [1]}')`.execute(connection)
    })
    const prepared = async () =>
      Number(
        (await sql<{ Value: string }>`show status like 'Com_stmt_execute'`.execute(db)).rows[0]!
          .Value,
      )
    const before = await prepared()
    const short = await sql`select * from kinds where sid = ${'one'}`.execute(db)
    const again = await sql`select * from kinds where sid = ${'one'}`.execute(db)
    expect(await prepared()).toBe(before + 2)
    const plain = await sql`select * from kinds where sid = ${'one'} and flag = ${1}`.execute(db)
    expect(await prepared()).toBe(before + 2)
    expect(plain.rows).toHaveLength(1)
    expect(short.rows).toEqual(plain.rows)
    expect(again.rows).toEqual(plain.rows)
  })

  it('stores a long text as it is', async () => {
    await sql`create table texts (long_text mediumtext) default charset utf8mb4`.execute(direct)
    const text = `"it's" \\ \n\0 \u001f 話 🙂 ? ?? `.repeat(1_000)
    await sql`insert into texts values (${text})`.execute(db)
    expect((await sql`select long_text from texts`.execute(db)).rows).toEqual([{ long_text: text }])
  })

  it('reads on when the server prepares no more statements', async () => {
    const { rows } = await sql<{ most: number }>`select @@max_prepared_stmt_count as most`.execute(
      direct,
    )
    await sql`set global max_prepared_stmt_count = 0`.execute(direct)
    try {
      const name = randomUUID()
      await sql`insert into things values (${name})`.execute(direct)
      const find = () => sql`select name from things where name = ${name}`.execute(db)
      expect((await find()).rows).toEqual([{ name }])
      expect((await find()).rows).toEqual([{ name }])
    } finally {
      await sql`set global max_prepared_stmt_count = ${sql.lit(rows[0]!.most)}`.execute(direct)
    }
  })
})
