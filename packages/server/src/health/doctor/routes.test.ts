import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({
    HTTP_PORT: '3999',
    SMTP_URL: 'smtp://me:canary-password@127.0.0.1:9',
    SWITCHROOM_BACKUP_TO: '/nowhere/backups',
    SWITCHROOM_BACKUP_PASSPHRASE: 'canary-passphrase',
  })
})
afterAll(() => t.close())

it('reports on the running server to administrators, view-only ones included', async () => {
  const report = await t.as('admin-viewer')(api.doctor.run, {})
  const of = (name: string) => report.results.filter(({ check }) => check === name)
  expect(of('ports')).toMatchObject([
    { outcome: 'ok', sentence: 'This server listens at 127.0.0.1:3999.' },
  ])
  expect(of('mail')).toMatchObject([
    { outcome: 'problem', sentence: expect.stringMatching(/nothing listens there/) },
  ])
  expect(JSON.stringify(report)).not.toContain('canary')
  for (const who of ['sp1', 'a1'])
    expect((await t.request(who, 'POST', '/Doctor')).statusCode).toBe(403)
})

it('runs once for all who ask at the same time or just after', async () => {
  const run = () => t.as('admin')(api.doctor.run, {})
  const reports = await Promise.all([run(), run(), run()])
  reports.push(await run())
  expect(new Set(reports.map(({ ran_at }) => ran_at)).size).toBe(1)
})
