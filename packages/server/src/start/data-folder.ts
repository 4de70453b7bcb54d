import { accessSync, chmodSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { CannotStart, fileReason, naming } from '../config/cannot-start.ts'
import type { Config } from '../config/config.ts'
import { databaseOf } from '../config/database-error.ts'
import { errorCode } from '../errors/members.ts'
import { takenInto } from '../stores/open.ts'

/** Our own files in the data folder. */
const FILES = /^(?:switchroom\.db(?:-wal|-shm)?|jwt-secret)$/
const FOLDERS = ['telemetry', 'traces', 'captures', 'recordings']
const OTHERS = 0o077

/**
 * Makes files of this process, and of earlier versions, readable only by its user. A data folder with other files keeps
 * its own mode. Failures are logged.
 */
export function keepPrivate(data: string, log: Pick<FastifyBaseLogger, 'warn'>) {
  process.umask(OTHERS)
  const open: string[] = []
  const close = (path: string, mode: number) => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats && (stats.mode & OTHERS) !== 0) chmodSync(path, mode)
    } catch (e) {
      open.push(`${path} (${fileReason(e)})`)
    }
  }
  const names = namesIn(data)
  const isOurs = (name: string) => FILES.test(name) || FOLDERS.includes(name)
  if (names.length > 0 && names.every(isOurs)) close(data, 0o700)
  for (const name of names) {
    if (FILES.test(name)) close(join(data, name), 0o600)
    if (!FOLDERS.includes(name)) continue
    // files inside recordings are protected by their folder
    close(join(data, name), 0o700)
    for (const inside of name === 'recordings' ? [] : namesIn(join(data, name)))
      close(join(data, name, inside), 0o600)
  }
  if (open.length > 0) log.warn({ open }, 'files in SWITCHROOM_DATA can be read by other users')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // it is made later, or its user reports the error
    return []
  }
}

/** Paths that are written to from the start on. */
function neededBy(config: Config): string[] {
  const stores = takenInto(config)
  const database = databaseOf(config)
  if (database.kind === 'mysql') return stores.length > 0 ? [config.data, ...stores] : []
  const files = ['', '-wal', '-shm'].map((end) => `${database.file}${end}`)
  return [config.data, ...files, ...stores, config.recordings.folder]
}

/**
 * Throws `CannotStart` if this process may not write to the data folder: SQLite opens a database all the same, and the
 * first log-in would fail. Missing files are left to the code that makes them.
 */
export function refuseUnwritable(config: Config) {
  for (const path of neededBy(config)) {
    try {
      accessSync(path, constants.W_OK)
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) continue
      throw new CannotStart(
        naming('SWITCHROOM_DATA', `${path} cannot be written (${fileReason(cause)}).`),
        { cause },
      )
    }
  }
}
