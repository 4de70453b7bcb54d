import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runs } from '../../server/src/health/backups/records.ts'
import { type TestApp, testApp } from '../../server/test/app.ts'
import type { Terminal } from '../src/terminal.ts'
import { testTerminal } from './terminal.ts'

let t: TestApp
let url: string
let folder: string
beforeEach(async () => {
  t = await testApp({
    SWITCHROOM_BACKUP_PASSPHRASE: 'canary horse battery',
    SWITCHROOM_BACKUP_KEEP: '3',
  })
  folder = join(t.ctx.config.data, 'backups')
  t.ctx.config.backups.to = folder
  // the tables of the test are in memory or on a server
  t.ctx.config.database ??= { kind: 'sqlite', file: ':memory:' }
  mkdirSync(join(t.ctx.config.data, 'telemetry'))
  writeFileSync(join(t.ctx.config.data, 'telemetry', 'x'), 'some')
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => t.close())

/** Waits for the server's process in place of the clock. */
async function untilMade() {
  await expect.poll(() => runs(t.ctx.config.data, 1)[0]?.state).not.toBe('running')
  return true
}

const as = (who: string, more?: Partial<Terminal>) =>
  testTerminal(
    { HOME: '/nonexistent', SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer[who]! },
    { pause: untilMade, ...more },
  )

it('is made, waited for and listed', async () => {
  const { code, out } = await as('admin-key').run('backup')
  const [name] = readdirSync(folder)
  expect([code, out]).toEqual([0, `${folder}/${name} on the server, verified\n`])
  const listed = await as('admin-key').run('backup', 'list', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ name }])
})

it('says why there is none', async () => {
  writeFileSync(folder, 'a file')
  const failed = await as('admin-key').run('backup')
  expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(/^error: .*backups/)])
  t.ctx.config.backups.to = undefined
  const off = await as('admin-key').run('backup')
  expect([off.code, off.err.split('\n')[0]]).toEqual([
    3,
    'error: Set SWITCHROOM_BACKUP_TO to make backups.',
  ])
})

it('is for administrators', async () => {
  for (const who of ['a1-key', 'sp1-key'])
    for (const words of [['backup'], ['backup', 'list']])
      expect((await as(who).run(...words)).code).toBe(4)
})

it('goes on at the server when nobody waits for it', async () => {
  const { code, err } = await as('admin-key', { pause: async () => false }).run('backup')
  expect([code, err]).toEqual([
    7,
    'error: The server goes on with the backup: switchroom backup list\n',
  ])
  await untilMade()
  const listed = await as('admin-key').run('backup', 'list', '--json')
  expect(JSON.parse(listed.out)).toHaveLength(1)
})
