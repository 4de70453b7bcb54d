import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { START } from '../scripts/start-command.ts'
import { compileCache, createMysqlDatabase } from './harness.ts'
import { freePort } from './ports.ts'

/** When the server cannot start, it prints one sentence that names the variable and contains no secret. */

const root = fileURLToPath(new URL('..', import.meta.url))
const CANARY = 'canary-in-a-secret-of-enough-characters'
let folder: string
let blocker: Server
let port: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-errors-'))
  blocker = createServer((socket) => socket.end('not what you expect\n')).listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  port = (blocker.address() as AddressInfo).port
})
afterAll(() => {
  blocker.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(environment: Record<string, string>) {
  const env = {
    PATH: process.env.PATH,
    ...compileCache,
    HTTP_PORT: '0',
    SWITCHROOM_DATA: mkdtempSync(join(folder, 'data-')),
    JWT_SECRET: CANARY,
    ENCRYPTION_SECRET: CANARY,
    ...environment,
  }
  const child = spawn(process.execPath, START, { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [status] = await once(child, 'close')
  expect(output).not.toContain('canary')
  expect(output).not.toMatch(/\n\s+at |\bE[A-Z]{4,}\b/)
  // one line of the log, with one reason
  expect(output).toMatch(/^\{.+\}\n$/)
  const { msg, why } = JSON.parse(output)
  expect([msg, why]).toEqual(['Switchroom cannot start', [expect.stringMatching(/\S/)]])
  return { status, text: String(why[0]) }
}

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const address = () => `127.0.0.1:${port}`

it('names a taken port and an invalid address', async () => {
  const already = `another program already listens at ${address()}.`
  expect(await start({ HTTP_PORT: String(port) })).toEqual({
    status: 2,
    text: `HTTP_PORT: ${already}`,
  })
  const names = ['INFLUX', 'OTLP', 'JAEGER', 'HEP'].map((n) => `SWITCHROOM_INGEST_${n}`)
  expect(await Promise.all(names.map((name) => start({ [name]: address() })))).toEqual(
    names.map((name) => ({ status: 2, text: `${name}: ${already}` })),
  )
  expect((await start({ HTTP_HOST: 'nowhere.invalid' })).text).toBe(
    'HTTP_HOST: the host name "nowhere.invalid" cannot be resolved.',
  )
  expect((await start({ HTTP_HOST: '192.0.2.1' })).text).toBe(
    'HTTP_HOST: this machine does not have the address 192.0.2.1.',
  )
})

it('names an unusable folder or database file', async () => {
  const notFolder = file('file', '')
  expect(await start({ SWITCHROOM_DATA: join(notFolder, 'data') })).toEqual({
    status: 2,
    text: `SWITCHROOM_DATA: the folder ${join(notFolder, 'data')} cannot be created (a part of its path is not a folder).`,
  })

  const data = mkdtempSync(join(folder, 'none-'))
  const database = join(data, 'switchroom.db')
  writeFileSync(database, 'this is no database, whatever its name says'.repeat(100))
  expect((await start({ SWITCHROOM_DATA: data })).text).toBe(
    `SWITCHROOM_DATA: ${database} is not a SQLite database. Move it away, or choose another folder.`,
  )

  const locked = mkdtempSync(join(folder, 'locked-'))
  const holder = new DatabaseSync(join(locked, 'switchroom.db'))
  holder.exec('create table t (c); begin exclusive')
  expect(await start({ SWITCHROOM_DATA: locked })).toEqual({
    status: 1,
    text: `SWITCHROOM_DATA: another program has locked the database file ${join(locked, 'switchroom.db')}.`,
  })
  holder.exec(
    `rollback; drop table t; create table switchroom_migrations (name text, timestamp text);
     insert into switchroom_migrations values ('999-later', '')`,
  )
  holder.close()
  expect((await start({ SWITCHROOM_DATA: locked })).text).toMatch(
    /was used by a newer version of Switchroom \(it has the migration 999-later\)\. Start that version/,
  )

  const damaged = mkdtempSync(join(folder, 'secret-'))
  writeFileSync(join(damaged, 'jwt-secret'), '')
  expect((await start({ SWITCHROOM_DATA: damaged, JWT_SECRET: '' })).text).toMatch(
    /^SWITCHROOM_DATA: the file \S+jwt-secret is damaged\. /,
  )
})

it('says why Redis cannot be used', async () => {
  const redis = (JAMBONES_REDIS_HOST: string, at: number, more: Record<string, string> = {}) =>
    start({ JAMBONES_REDIS_HOST, JAMBONES_REDIS_PORT: String(at), ...more })
  const free = await freePort()
  expect(await redis('127.0.0.1', free, { JAMBONES_REDIS_PASSWORD: CANARY })).toEqual({
    status: 1,
    text: `JAMBONES_REDIS_HOST, JAMBONES_REDIS_PORT: nothing listens at 127.0.0.1:${free}.`,
  })
  expect((await redis('nowhere.invalid', 1)).text).toBe(
    'JAMBONES_REDIS_HOST: the host name "nowhere.invalid" cannot be resolved.',
  )
  expect((await redis('127.0.0.1', port)).text).toMatch(/^JAMBONES_REDIS_HOST, .* does not answer/)
  expect(
    (
      await start({
        JAMBONES_REDIS_SENTINELS: `127.0.0.1:${free}`,
        JAMBONES_REDIS_SENTINEL_MASTER_NAME: 'main',
      })
    ).text,
  ).toBe(
    `JAMBONES_REDIS_SENTINELS: no sentinel at 127.0.0.1:${free} knows a reachable master called "main".`,
  )
})

it('says why MySQL cannot be reached', async () => {
  const free = await freePort()
  const mysql = (JAMBONES_MYSQL_HOST: string, at: number) =>
    start({
      JAMBONES_MYSQL_HOST,
      JAMBONES_MYSQL_PORT: String(at),
      JAMBONES_MYSQL_USER: 'u',
      JAMBONES_MYSQL_PASSWORD: CANARY,
      JAMBONES_MYSQL_DATABASE: 'd',
    })
  expect(await mysql('127.0.0.1', free)).toEqual({
    status: 1,
    text: `JAMBONES_MYSQL_HOST, JAMBONES_MYSQL_PORT: nothing listens at 127.0.0.1:${free}.`,
  })
  expect((await mysql('nowhere.invalid', 1)).text).toBe(
    'JAMBONES_MYSQL_HOST: the host name "nowhere.invalid" cannot be resolved.',
  )
})

it.runIf(process.env.TEST_MYSQL_URL)(
  'tells a wrong password, a misspelt database and missing grants apart',
  async () => {
    const { host, port, user: admin, password, database } = await createMysqlDatabase()
    const where = `MySQL at ${host}:${port}`
    const name = database.slice(0, 30)
    const server = await createConnection({ host, port, user: admin, password })
    for (const statement of [
      `create user '${name}'@'%' identified by '${CANARY}'`,
      `create user '${name}'@'localhost' identified by '${CANARY}'`,
      `grant select on \`${database}\`.* to '${name}'@'%'`,
      `grant select on \`${database}\`.* to '${name}'@'localhost'`,
    ])
      await server.query(statement)
    const text = async (more: Record<string, string>) => {
      const answer = await start({
        JAMBONES_MYSQL_HOST: host,
        JAMBONES_MYSQL_PORT: String(port),
        JAMBONES_MYSQL_USER: name,
        JAMBONES_MYSQL_PASSWORD: CANARY,
        JAMBONES_MYSQL_DATABASE: database,
        ...more,
      })
      expect(answer.status).toBe(2)
      return answer.text
    }
    expect(await text({ JAMBONES_MYSQL_PASSWORD: 'canary-but-wrong' })).toBe(
      `JAMBONES_MYSQL_USER, JAMBONES_MYSQL_PASSWORD: ${where} does not accept user "${name}" with this password.`,
    )
    expect(await text({ JAMBONES_MYSQL_DATABASE: 'jambons' })).toBe(
      `JAMBONES_MYSQL_DATABASE: ${where} has no database "jambons" that user "${name}" may use. It has access to: ${database}.`,
    )
    const root = { JAMBONES_MYSQL_USER: admin, JAMBONES_MYSQL_PASSWORD: password }
    expect(await text({ ...root, JAMBONES_MYSQL_DATABASE: 'jambons' })).toBe(
      `JAMBONES_MYSQL_DATABASE: ${where} has no database "jambons".`,
    )
    expect(await text({})).toMatch(
      /^The database user is not allowed to create tables, .* Grant it create/,
    )
    expect(await text({ JAMBONES_MYSQL_REJECT_UNAUTHORIZED: '1' })).toMatch(
      /^JAMBONES_MYSQL_SSL_CA_FILE: /,
    )
    await server.query(`drop user '${name}'@'%', '${name}'@'localhost'`)
    await server.query(`drop database \`${database}\``)
    await server.end()
  },
)
