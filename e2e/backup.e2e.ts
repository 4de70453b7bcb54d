import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  api,
  compileCache,
  fetchToken,
  PASSWORD,
  type Switchroom,
  startSwitchroom,
} from './harness.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
let server: Switchroom | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-backup-e2e-'))
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const data = () => join(folder, 'data')
const start = () => startSwitchroom('sqlite', { SWITCHROOM_DATA: data(), JWT_SECRET: '' })

function command(script: 'backup' | 'restore', ...args: string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      SWITCHROOM_DATA: data(),
      SWITCHROOM_BACKUP_PASSPHRASE_FILE: join(folder, 'passphrase'),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ended, output: () => output }
}

it('brings everything back from a backup that was made while the server ran', async () => {
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n')
  server = await start()
  const token = await fetchToken(server.url)
  const [account] = await api<{ account_sid: string }[]>(server.url, token, 'GET', '/Accounts')
  const client = {
    account_sid: account!.account_sid,
    username: 'jane',
    password: 'canary device secret',
    is_active: 1,
  }
  await api(server.url, token, 'POST', '/Clients', client)
  const [hook] = await api<{ webhook_secret: string }[]>(server.url, token, 'GET', '/Accounts')

  const to = join(folder, 'backups')
  mkdirSync(to)
  const backup = command('backup', to)
  expect(await backup.ended, backup.output()).toBe(0)
  expect(backup.output()).toContain('is complete and verified')
  const [name] = readdirSync(to)
  expect(readFileSync(join(to, name!)).includes('canary')).toBe(false)
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)

  await server.kill('SIGKILL')
  rmSync(data(), { recursive: true })
  const restore = command('restore', join(to, name!))
  expect(await restore.ended, restore.output()).toBe(0)
  server = await start()
  const old = await fetch(`${server.url}/api/v1/Accounts`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(old.status).toBe(401)
  const again = await fetchToken(server.url, 'admin', PASSWORD)
  expect(await api(server.url, again, 'GET', '/Clients')).toMatchObject([{ username: 'jane' }])
  expect(await api(server.url, again, 'GET', '/Accounts')).toMatchObject([hook])
})

it('leaves nothing that looks complete when it is killed', async () => {
  const to = join(folder, 'killed')
  mkdirSync(to)
  // takes a second or so to write
  writeFileSync(join(data(), 'ballast'), Buffer.alloc(200_000_000, crypto.randomUUID()))
  const backup = command('backup', to)
  await expect.poll(() => readdirSync(to), { timeout: 10_000, interval: 5 }).toHaveLength(1)
  backup.child.kill('SIGKILL')
  await backup.ended
  expect(readdirSync(to)).toEqual([expect.stringMatching(/^\..*\.partial$/)])

  const whole = command('backup', to)
  expect(await whole.ended, whole.output()).toBe(0)
  const name = readdirSync(to).find((each) => !each.startsWith('.'))!
  const target = join(folder, 'target')
  const restore = command('restore', join(to, name), target)
  const beside = () => readdirSync(folder).filter((each) => each.startsWith('.target'))
  await expect.poll(beside, { timeout: 10_000, interval: 5 }).toHaveLength(1)
  restore.child.kill('SIGKILL')
  await restore.ended
  expect(readdirSync(folder)).not.toContain('target')
  const second = command('restore', join(to, name), target)
  expect(await second.ended, second.output()).toBe(0)
  expect(beside()).toEqual([])
})
