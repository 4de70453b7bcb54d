import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '../src/db/open.ts'
import { platformTables } from '../src/db/platform.ts'
import { testApp } from './app.ts'
import { testDatabase } from './database.ts'

const TABLES = [
  ...Object.keys(platformTables),
  'switchroom_audit',
  'switchroom_audit_head',
  'switchroom_live',
  'switchroom_sessions',
  'switchroom_api_keys',
]
async function rowsOf(db: Db) {
  const found: Record<string, unknown[]> = {}
  for (const table of TABLES) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    found[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return found
}

it('leaves nothing to the next test: neither rows nor changes of the first rows', async () => {
  const clean = await testDatabase()
  const before = await rowsOf(clean.db)
  await clean.close()
  const changes = [
    sql`delete from products`,
    sql`update predefined_carriers set name = 'x' where name = 'Twilio'`,
    sql`update password_settings set min_password_length = 9`,
    sql`delete from switchroom_audit_head`,
    sql`insert into sbc_addresses (sbc_address_sid, ipv4, port) values ('a', '10.0.0.1', 5060)`,
  ]
  const world = await testApp()
  for (const change of changes) await change.execute(world.db)
  const during = await rowsOf(world.db)
  for (const table of [
    'products',
    'predefined_carriers',
    'password_settings',
    'accounts',
    'sbc_addresses',
    'users',
    'switchroom_audit_head',
    'switchroom_sessions',
  ])
    expect(during[table], table).not.toEqual(before[table])
  await world.close()
  const next = await testDatabase()
  expect(await rowsOf(next.db)).toEqual(before)
  await next.close()
})

it('waits for no transaction of the test before', async () => {
  const one = await testDatabase()
  const begun = Promise.withResolvers<void>()
  const left = one.db
    .transaction()
    .execute(async (tx) => {
      await tx.updateTable('password_settings').set({ min_password_length: 9 }).execute()
      begun.resolve()
      await new Promise(() => undefined)
    })
    .catch(() => undefined)
  await begun.promise
  await one.close()
  const two = await testDatabase()
  const { min_password_length } = await two.db
    .selectFrom('password_settings')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(min_password_length).toBe(8)
  await two.close()
  await expect(one.db.selectFrom('products').selectAll().execute()).rejects.toThrow()
  void left
})
