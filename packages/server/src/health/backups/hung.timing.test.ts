import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { runs } from './records.ts'
import { startBackups } from './start.ts'
import type { BackupJob } from './write.ts'

let folder: string
let to: string
const options = process.env.NODE_OPTIONS ?? ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-hung-'))
  to = join(folder, 'backups')
  // a file system that does not answer
  const hang = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.promises.rename = () => {
      fs.writeFileSync(${JSON.stringify(join(folder, 'hangs'))}, '')
      return new Promise(() => setInterval(() => {}, 1_000))
    }
    syncBuiltinESMExports()`
  process.env.NODE_OPTIONS = `${options} --import=data:text/javascript,${encodeURIComponent(hang)}`
})
afterEach(() => {
  process.env.NODE_OPTIONS = options
  rmSync(folder, { recursive: true, force: true })
})

const hangs = () => existsSync(join(folder, 'hangs'))

it('ends when its server is gone, whatever it waits for', async () => {
  const child = fork(new URL('./own-process.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  })
  const exited = once(child, 'exit')
  child.send({
    ...{ data: join(folder, 'data'), file: join(to, 'x'), passphrase: 'canary horse battery' },
    ...{ version: '1', database: 'mysql', recordings: false, secrets: [], work_factor: 1 },
  } satisfies BackupJob)
  await expect.poll(hangs).toBe(true)
  child.disconnect()
  expect(await exited).toEqual([1, null])
})

it('does not hold up the end of the server', async () => {
  const t = await testApp({
    SWITCHROOM_BACKUP_PASSPHRASE: 'canary horse battery',
    SWITCHROOM_BACKUP_TO: to,
  })
  // the tables of the test are in memory or on a server
  t.ctx.config.database ??= { kind: 'sqlite', file: ':memory:' }
  const scheduled = startBackups(t.ctx)
  await expect.poll(hangs).toBe(true)
  await scheduled.stop()
  expect(runs(t.ctx.config.data, 1)).toMatchObject([{ state: 'failed' }])
  await t.close()
})
