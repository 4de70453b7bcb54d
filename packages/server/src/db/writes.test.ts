import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import { skipExisting } from './dialect.ts'
import { insertMany } from './insert-many.ts'
import { transaction } from './transaction.ts'
import { newWatch } from './watched.ts'
import type { Write } from './writes.ts'

describe.each(kinds)('what statements write, on %s', (kind) => {
  const watch = newWatch()
  let t: Awaited<ReturnType<typeof testDatabase>>
  let told: Write[] = []
  beforeEach(async () => {
    t = await testDatabase(kind, watch)
    watch.writes.clear()
    watch.writes.add((writes) => told.push(...writes))
    told = []
  })
  afterEach(() => t.close())

  const provider = () => ({ service_provider_sid: randomUUID(), name: randomUUID() })
  const insert = (db = t.db) => db.insertInto('service_providers').values(provider()).execute()

  it('is told by table, change and columns', async () => {
    const { db } = t
    await insert()
    await db.insertInto('service_providers').values(provider()).$call(skipExisting(db)).execute()
    await db
      .updateTable('service_providers')
      .set({ name: 'x', root_domain: null })
      .where('name', '=', 'y')
      .execute()
    await db.deleteFrom('service_providers').where('name', '=', 'y').execute()
    await db.selectFrom('service_providers').selectAll().execute()
    const of = { table: 'service_providers' }
    expect(told).toEqual([
      { ...of, change: 'insert' },
      { ...of, change: 'insert' },
      { ...of, change: 'update', columns: ['name', 'root_domain'] },
      { ...of, change: 'delete' },
    ])
  })

  it('is told of statements written by hand, and of what is not understood', async () => {
    const { db } = t
    await sql`select name from accounts`.execute(db)
    await sql`update accounts set name = 'x' where name = 'y'`.execute(db)
    await sql`delete from ${sql.table('users')} where ${sql.ref('name')} = 'y'`.execute(db)
    await sql`insert into products (product_sid, name, category) values ('x', 'x', 'x')`
      .execute(db)
      .catch(() => undefined)
    await sql`create table switchroom_writes (a int)`.execute(db)
    await sql`drop table switchroom_writes`.execute(db)
    expect(told.map(({ table, change }) => [table, change])).toEqual([
      ['accounts', 'update'],
      ['users', 'delete'],
      // it failed, but nobody can know
      ['products', 'insert'],
      [undefined, 'update'],
      [undefined, 'update'],
    ])
  })

  it('is told once a transaction is committed, and never if it is rolled back', async () => {
    const { db } = t
    await transaction(
      db,
      async (tx) => {
        await insert(tx)
        await insert(tx)
        await tx.updateTable('users').set({ name: 'x' }).where('name', '=', 'y').execute()
        expect(told).toEqual([])
      },
      { lock: 'writes' },
    )
    expect(told.map(({ table }) => table)).toEqual(['service_providers', 'users'])
    told = []
    const failed = transaction(db, async (tx) => {
      await insert(tx)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(told).toEqual([])
    await insert()
    expect(told).toHaveLength(1)
  })

  it('is told with the sids of what is inserted, unless they are many', async () => {
    const providers = (count: number) => Array.from({ length: count }, provider)
    const sids = (rows: ReturnType<typeof provider>[]) => rows.map((r) => r.service_provider_sid)
    const insertAll = (rows: object[], db = t.db) =>
      insertMany(db, 'service_providers', rows as Record<string, unknown>[])
    const [some, more, many] = [providers(2), providers(3), providers(1_001)]
    // wherever the key is among the columns
    const turned = more.map(({ service_provider_sid, name }) => ({ name, service_provider_sid }))
    await insertAll(some)
    await transaction(t.db, async (tx) => {
      await insertAll(turned, tx)
      await insertAll(
        providers(1).map((row) => ({ ...row, name: 'of the same transaction' })),
        tx,
      )
    })
    expect(told.map((write) => write.sids)).toEqual([
      sids(some),
      [...sids(more), expect.any(String)],
    ])
    told = []
    await transaction(t.db, (tx) => insertAll(many, tx))
    await transaction(t.db, async (tx) => {
      await insertAll(providers(1), tx)
      await insert(tx)
      await insertAll(providers(1), tx)
    })
    await sql`insert into \`service_providers\` (\`service_provider_sid\`,\`name\`) values (lower(${randomUUID()}),'x')`.execute(
      t.db,
    )
    const of = { table: 'service_providers', change: 'insert', sids: undefined }
    expect(told).toEqual([of, of, of])
  })

  it('is told after a savepoint was rolled back too', async () => {
    const tx = await t.db.startTransaction().execute()
    await insert(tx)
    const savepoint = await tx.savepoint('before').execute()
    await savepoint.updateTable('users').set({ name: 'x' }).where('name', '=', 'y').execute()
    await savepoint.rollbackToSavepoint('before').execute()
    expect(told).toEqual([])
    await tx.commit().execute()
    expect(told.map(({ table }) => table)).toContain('service_providers')
  })
})
