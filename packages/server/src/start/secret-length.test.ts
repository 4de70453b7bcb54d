import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { emptyMysql, kinds, mysqlAt, testDatabase } from '../../test/database.ts'
import { CannotStart } from '../config/cannot-start.ts'
import { readConfig } from '../config/config.ts'
import { onSqlite } from '../db/open.ts'
import { openSqlite } from '../db/open-sqlite.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { newWatch } from '../db/watched.ts'
import { health } from '../health/registry.ts'
import { startDatabase } from './database.ts'
import { refuseShortSecret, reportSecretLength } from './secret-length.ts'

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
    reportSecretLength({ config, health: registry, log })
  for (const config of LONG) report(config)
  expect(lines).toEqual([])
  expect(registry.parts()).toMatchObject([{ part: 'session_secret', state: 'ok' }])
  report(SHORT)
  expect(registry.parts()).toMatchObject([{ part: 'session_secret', state: 'degraded' }])
  expect(lines).toEqual([expect.stringContaining('JWT_SECRET has fewer than 32 characters')])
  expect(lines.join() + JSON.stringify(registry.parts())).not.toContain('xxx')
})
