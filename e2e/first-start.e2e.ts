import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import { afterEach, expect, it } from 'vitest'
import { canMount, smallDisk } from '../packages/server/test/full-disk.ts'
import { START } from '../scripts/start-command.ts'
import {
  api,
  compileCache,
  createMysqlDatabase,
  fetchToken,
  type Switchroom,
  startSwitchroom,
} from './harness.ts'
import { freePort } from './ports.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let server: Switchroom | undefined
afterEach(() => server?.stop())

it('logs a one-time password once, which can only be used to set a new one', async () => {
  server = await startSwitchroom('sqlite', { SWITCHROOM_ADMIN_PASSWORD: '', JWT_SECRET: '' })
  const { url } = server
  const password = /one-time password (\S+)/.exec(server.log())?.[1]
  expect(password).toMatch(/^.{16}$/)
  const token = await fetchToken(url, 'admin', password)
  await expect(api(url, token, 'GET', '/Accounts')).rejects.toThrow(
    'You must create a new password',
  )
  await server.kill('SIGTERM')
  const before = server.log().length
  await server.start()
  expect(server.log().slice(before)).not.toContain('one-time password')
})

it('names every invalid variable, never its value, and exits with 2', () => {
  const { status, stderr } = spawnSync(process.execPath, START, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...compileCache, HTTP_PORT: 'canary', SMTP_URL: 'canary' },
  })
  expect(status).toBe(2)
  expect(stderr).toMatch(/HTTP_PORT[\s\S]*SMTP_URL/)
  expect(stderr).not.toContain('canary')
})

it('makes its files readable by their owner only', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'switchroom-secrets-')), 'data')
  server = await startSwitchroom('sqlite', { SWITCHROOM_DATA: data, JWT_SECRET: '' })
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(readdirSync(data)).toContain('jwt-secret')
  expect(statSync(join(data, 'jwt-secret')).mode & 0o777).toBe(0o600)
})

it.runIf(canMount)('names a data folder that cannot be written, and exits with 2', async () => {
  const disk = smallDisk(50_000_000)!
  try {
    server = await startSwitchroom('sqlite', { SWITCHROOM_DATA: disk.folder })
    await server.kill('SIGTERM')
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    const { status, stderr } = spawnSync(process.execPath, START, {
      cwd: root,
      encoding: 'utf8',
      env: server.env,
    })
    expect(status).toBe(2)
    expect(stderr).toContain(
      `SWITCHROOM_DATA: ${disk.folder} cannot be written (the file system is read-only).`,
    )
  } finally {
    disk.close()
  }
})

it('refuses to take call data into a folder while another server does', async () => {
  const ingest = async () => ({ SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${await freePort()}` })
  server = await startSwitchroom('sqlite', await ingest())
  const other = { ...server.env, ...(await ingest()), HTTP_PORT: String(await freePort()) }
  const { status, stderr } = spawnSync(process.execPath, START, {
    cwd: root,
    encoding: 'utf8',
    env: other,
  })
  expect(status).toBe(1)
  expect(stderr).toContain(
    `SWITCHROOM_DATA: another server takes call data into ${server.shared.SWITCHROOM_DATA}/telemetry`,
  )
  await server.kill('SIGKILL')
  await server.start()
})

it('says that the secret of its data folder was lost', async () => {
  const data = mkdtempSync(join(tmpdir(), 'switchroom-secrets-'))
  server = await startSwitchroom('sqlite', { SWITCHROOM_DATA: data, JWT_SECRET: '' })
  expect(server.log()).not.toContain('was missing')
  await server.kill('SIGKILL')
  rmSync(join(data, 'jwt-secret'))
  await server.start()
  expect(server.log()).toContain(`The file ${data}/jwt-secret was missing`)
})

it.runIf(process.env.TEST_MYSQL_URL)(
  'refuses a database of another product with one sentence',
  async () => {
    const mysql = await createMysqlDatabase()
    const connection = await createConnection(mysql)
    await connection.query('create table wp_posts (id int primary key)')
    await connection.end()
    const { status, stderr } = spawnSync(process.execPath, START, {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        ...compileCache,
        HTTP_PORT: '0',
        JWT_SECRET: 'the secret that signs sessions in stories',
        JAMBONES_MYSQL_HOST: mysql.host,
        JAMBONES_MYSQL_PORT: String(mysql.port),
        JAMBONES_MYSQL_USER: mysql.user,
        JAMBONES_MYSQL_DATABASE: mysql.database,
      },
    })
    expect(status).toBe(2)
    expect(stderr).toMatch(/is not a complete platform database. It lacks table accounts/)
  },
)
