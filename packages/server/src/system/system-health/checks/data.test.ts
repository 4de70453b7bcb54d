import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { kindOf } from '../../../db/open.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const part = (name: string) => t.ctx.health.parts().find((p) => p.part === name)

it('finds the parts of this server well, and its clock with the database’s', async () => {
  await t.ctx.health.check()
  for (const name of ['database', 'migrations', 'disk', 'memory', 'database_pool'])
    expect(part(name), name).toMatchObject({ state: 'ok', sentence: expect.stringMatching(/\w/) })
  expect(part('clock')?.state).toBe(kindOf(t.db) === 'mysql' ? 'ok' : undefined)
})

it('says that a newer version has changed the database', async () => {
  await sql`insert into switchroom_migrations (name, timestamp) values ('999-later', '')`.execute(
    t.db,
  )
  const migrations = async () => {
    await t.ctx.health.check(['migrations'])
    return part('migrations')
  }
  await expect
    .poll(migrations, { interval: 300 })
    .toMatchObject({ state: 'degraded', sentence: expect.stringContaining('999-later') })
  await sql`delete from switchroom_migrations where name = '999-later'`.execute(t.db)
})

it('counts connections in use and those who wait', async () => {
  const { databaseUse } = t.ctx
  await t.db.connection().execute(async () => {
    expect(databaseUse).toMatchObject({ in_use: 1, waiting: 0 })
  })
  expect(databaseUse).toMatchObject({ in_use: 0, waiting: 0 })
})
