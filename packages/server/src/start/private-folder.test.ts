import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keptSecret } from '../config/kept-secret.ts'
import { openDb } from '../db/open.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { keepPrivate } from './data-folder.ts'

let data: string
const before = process.umask()
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'switchroom-private-'))
  chmodSync(data, 0o755)
})
afterEach(() => {
  process.umask(before)
  rmSync(data, { recursive: true, force: true })
})

const modeOf = (...path: string[]) => (statSync(join(data, ...path)).mode & 0o777).toString(8)
const warned: object[] = []
const log = { warn: (fields: object) => void warned.push(fields) }

it('closes what earlier versions left open to others', () => {
  for (const folder of ['telemetry', 'traces', 'captures', 'recordings']) {
    mkdirSync(join(data, folder), { mode: 0o755 })
    writeFileSync(join(data, folder, 'a.db'), '', { mode: 0o644 })
  }
  const files = ['switchroom.db', 'switchroom.db-wal', 'switchroom.db-shm', 'jwt-secret']
  for (const file of files) writeFileSync(join(data, file), '', { mode: 0o644 })
  keepPrivate(data, log)
  expect(modeOf()).toBe('700')
  for (const file of files) expect(modeOf(file), file).toBe('600')
  for (const folder of ['telemetry', 'traces', 'captures']) {
    expect(modeOf(folder)).toBe('700')
    expect(modeOf(folder, 'a.db')).toBe('600')
  }
  expect(modeOf('recordings')).toBe('700')
  expect(warned).toEqual([])
})

it('creates the database and secrets for its user alone', async () => {
  keepPrivate(data, log)
  keptSecret(data, 'jwt-secret')
  const db = openDb({ kind: 'sqlite', file: join(data, 'switchroom.db') })
  await prepareDatabase(db)
  for (const file of ['switchroom.db', 'switchroom.db-wal', 'switchroom.db-shm', 'jwt-secret'])
    expect(modeOf(file), file).toBe('600')
  await db.destroy()
})

it('leaves a folder alone that others use too, except for its own files', () => {
  for (const name of ['notes.txt', 'switchroom.db']) {
    writeFileSync(join(data, name), '')
    chmodSync(join(data, name), 0o644)
  }
  keepPrivate(data, log)
  expect([modeOf(), modeOf('notes.txt'), modeOf('switchroom.db')]).toEqual(['755', '644', '600'])
})
