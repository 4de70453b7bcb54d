import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt, testDatabase } from '../../test/database.ts'
import { CannotStart } from '../config/cannot-start.ts'
import { readConfig } from '../config/config.ts'
import { keptSecret } from '../config/kept-secret.ts'
import { onSqlite } from '../db/open.ts'
import { openSqlite } from '../db/open-sqlite.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { seedAdministrator } from '../db/seed.ts'
import { newWatch } from '../db/watched.ts'
import { health } from '../parts/registry.ts'
import { startDatabase } from './database.ts'
import { lostSecret, refuseShortSecret, reportSecret } from './secret.ts'

const SHORT = { jwt_secret: 'x'.repeat(31) }
const LONG = [
  { jwt_secret: 'x'.repeat(32) },
  { jwt_secret: 'ü'.repeat(16) },
  { jwt_secret: undefined },
]

it('refuses a short secret before a new database is filled, again at the next start', async () => {
  const db = onSqlite(openSqlite(':memory:'))
  const prepared = () => prepareDatabase(db, () => refuseShortSecret(SHORT))
  await expect(prepared()).rejects.toThrow(CannotStart)
  await expect(prepared()).rejects.toThrow(/^JWT_SECRET: needs at least 32 characters/)
  for (const config of LONG) expect(() => refuseShortSecret(config)).not.toThrow()
  expect((await prepareDatabase(db, () => refuseShortSecret(LONG[0]!))).state).toBe('created')
  await db.destroy()
})

it.each(kinds)('does not start with a short secret on an empty database (%s)', async (kind) => {
  const data = mkdtempSync(join(tmpdir(), 'switchroom-secret-'))
  const database = kind === 'mysql' ? mysqlAt('secret_test') : undefined
  if (database) await emptyMysql(database)
  const started = (secret: object) =>
    startDatabase({ ...readConfig({}), data, database, ...secret }, newWatch())
  await expect(started(SHORT)).rejects.toThrow(/^JWT_SECRET: needs at least 32 characters/)
  const { db, state } = await started(LONG[0]!)
  expect(state).toBe('created')
  await db.destroy()
  rmSync(data, { recursive: true })
})

it.each(kinds)('starts with a short secret on a database in use (%s)', async (kind) => {
  const { db, close } = await testDatabase(kind)
  expect((await prepareDatabase(db, () => refuseShortSecret(SHORT))).state).toBe('ours')
  await close()
})

it('warns of a short secret in the log and in the system health, without showing it', () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const registry = health()
  const report = (config: { jwt_secret: string | undefined }) =>
    reportSecret({ config, health: registry, log }, undefined)
  for (const config of LONG) report(config)
  expect(lines).toEqual([])
  expect(registry.parts()).toMatchObject([{ part: 'session_secret', state: 'ok' }])
  report(SHORT)
  expect(registry.parts()).toMatchObject([{ part: 'session_secret', state: 'degraded' }])
  expect(lines).toEqual([expect.stringContaining('JWT_SECRET has fewer than 32 characters')])
  expect(lines.join() + JSON.stringify(registry.parts())).not.toContain('xxx')
})

it.each(kinds)('tells when the secret of a data folder in use is gone (%s)', async (kind) => {
  const data = mkdtempSync(join(tmpdir(), 'switchroom-secret-'))
  const { db, close } = await testDatabase(kind)
  const config = { ...readConfig({}), data }
  const lost = (state: 'ours' | 'adopted', more = {}) =>
    lostSecret({ ...config, ...more }, db, state)
  expect(await lost('ours')).toBeUndefined()
  const password = 'correct horse 1'
  await seedAdministrator(db, { password, forceChange: false, announce: () => undefined })
  expect(await lost('ours')).toContain(`${data}/jwt-secret was missing`)
  expect(await lost('ours')).toContain('stored credentials cannot be read')
  expect(await lost('ours', { encryption_secret: 'x' })).toContain('all sessions have ended. ')
  // nobody has logged in here yet
  expect(await lost('adopted')).toBeUndefined()
  expect(await lost('ours', LONG[0])).toBeUndefined()
  keptSecret(data, 'jwt-secret')
  expect(await lost('ours')).toBeUndefined()
  await close()
  rmSync(data, { recursive: true })
})

it('says in the log and in the system health that a secret was lost', () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const registry = health()
  reportSecret({ config: LONG[2]!, health: registry, log }, 'It was missing.')
  expect(lines).toEqual([expect.stringContaining('It was missing.')])
  expect(registry.parts()).toMatchObject([
    { part: 'session_secret', state: 'degraded', sentence: 'It was missing.' },
  ])
})
