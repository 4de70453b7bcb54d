import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

it('says what waits for a file that another program holds, and goes on being ready', async () => {
  const { telemetry } = t.ctx.config
  if (telemetry.kind !== 'embedded') throw new Error('The store of tests is another one')
  const alert = { account_sid: 'a', alert_type: 'first', message: 'm', detail: null }
  const write = () => t.ctx.stores.alerts.write({ ...alert, service_provider_sid: null } as never)
  await write()
  const day = new Date().toISOString().slice(0, 10)
  const file = new DatabaseSync(join(telemetry.folder, `${day}.db`))
  file.exec('begin immediate')
  await write()
  const records = async () => {
    await t.ctx.health.check(['telemetry_files'])
    return part('telemetry_files')
  }
  await expect.poll(records).toMatchObject({
    state: 'failing',
    sentence: expect.stringMatching(
      /^1 MB waits in the data folder, the oldest since \d\d:\d\d:\d\d UTC\. [\d-]{10}\.db cannot be written: database is locked$/,
    ),
  })
  const ready = await t.app.inject('/ready')
  expect([ready.statusCode, ready.json().degraded]).toEqual([
    200,
    expect.arrayContaining(['telemetry_files']),
  ])
  expect(t.ctx.health.figures()).toContainEqual(
    expect.objectContaining({ figure: 'call_records_waiting_bytes' }),
  )
  file.close()
  await expect.poll(records).toMatchObject({ state: 'ok' })
})
