import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect } from 'vitest'
import { type DatabaseConfig, type Db, openDb } from '../src/db/open.ts'
import { prepareDatabase } from '../src/db/prepare.ts'
import { chosen, emptyMysql, mysqlAt } from './database.ts'

/**
 * Prepares a database before each test that several processes open, because some are killed. `purpose` is part of its
 * name on MariaDB.
 */
export function databaseOfKilled(purpose: string, fill?: (db: Db) => Promise<unknown>) {
  let folder: string
  const opened: { config: DatabaseConfig } = { config: { kind: 'sqlite', file: '' } }
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-killed-'))
    opened.config = { kind: 'sqlite', file: join(folder, 'switchroom.db') }
    if (chosen === 'mysql') {
      const at = mysqlAt(purpose)
      await emptyMysql(at)
      opened.config = at
    }
    const db = openDb(opened.config)
    await prepareDatabase(db)
    await fill?.(db)
    await db.destroy()
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  return opened
}

/** Runs a script, kills it once it has written enough lines, and returns them. */
export async function linesOfKilled(script: string, isEnough: (lines: string[]) => boolean) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const written: string[] = []
  const lines = createInterface(child.stdout).on('line', (line) => written.push(line))
  await expect.poll(() => isEnough(written)).toBe(true)
  child.kill('SIGKILL')
  await new Promise((resolve) => lines.once('close', resolve))
  return written
}
