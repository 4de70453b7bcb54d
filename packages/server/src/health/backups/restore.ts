import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileReason } from '../../config/cannot-start.ts'
import { onSqlite } from '../../db/open.ts'
import { unknownMigrations } from '../../db/prepare.ts'
import { transaction } from '../../db/transaction.ts'
import { errorCode } from '../../errors/members.ts'
import { endAllSessions } from '../../session/sessions/end-all.ts'
import { makeFolder } from '../../stores/kit/durable.ts'
import { BackupFailed, diskFailure, inWords } from './failure.ts'
import { DATA, type Header, MAIN } from './manifest.ts'
import { problemOf, readBackup, type Source } from './read.ts'
import { isDatabase } from './snapshot.ts'

export type Restored = { header: Header; files: number; warnings: string[] }

/**
 * Restores a backup into a data folder that does not exist yet, or is empty. Everything is written and
 * checked beside it first, so that it is there completely or not at all. Throws `BackupFailed`.
 */
export async function restoreBackup(source: Source, folder: string): Promise<Restored> {
  const target = resolve(folder)
  const parent = dirname(target)
  const leftover = `.${basename(target)}.restoring-`
  const beside = join(parent, `${leftover}${randomBytes(4).toString('hex')}`)
  try {
    await refuseOccupied(target)
    makeFolder(parent)
    // of commands that were killed
    for (const name of await readdir(parent))
      if (name.startsWith(leftover)) await rm(join(parent, name), { recursive: true, force: true })
    await mkdir(beside, { mode: 0o700 })
    const restored = await unpack(source, beside)
    await refuseOccupied(target)
    await moveInto(target, beside)
    return restored
  } catch (e) {
    const reason = diskFailure(e)
    throw reason === undefined
      ? inWords(e)
      : new BackupFailed('failed', `Nothing was restored into ${target}: ${reason}.`, e)
  } finally {
    await rm(beside, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function refuseOccupied(target: string) {
  let names: string[]
  try {
    names = await readdir(target)
  } catch (e) {
    if (errorCode(e) === 'ENOENT') return
    throw new BackupFailed('refused', `${target} is no folder that can be read (${fileReason(e)}).`)
  }
  if (names.length > 0)
    throw new BackupFailed(
      'occupied',
      `${target} is not empty. Restore into a new folder, or move the old one away.`,
    )
}

async function unpack(source: Source, beside: string): Promise<Restored> {
  const warnings: string[] = []
  let files = 0
  const header = await readBackup(
    source,
    (name) => join(beside, name.slice(DATA.length)),
    async (name, path) => {
      files++
      if (!isDatabase(name)) return
      if (name === MAIN) await refuseNewer(source.file, path)
      const problem = await problemOf(name, path)
      if (problem && name === MAIN) throw new BackupFailed('damaged', problem)
      if (problem) warnings.push(problem)
      if (name === MAIN) await endSessions(path)
    },
  )
  return { header, files, warnings }
}

/** The server would refuse it as well, but only after it has been restored. */
async function refuseNewer(file: string, path: string) {
  const database = new DatabaseSync(path)
  try {
    const [unknown] = await unknownMigrations(onSqlite(database))
    if (unknown !== undefined)
      throw new BackupFailed(
        'newer',
        `${file} is from a newer version of Switchroom (it has the migration ${unknown}). Restore it with that version.`,
      )
  } finally {
    database.close()
  }
}

async function endSessions(path: string) {
  const database = new DatabaseSync(path)
  try {
    // backups of older versions have no sessions: their tokens are refused anyway
    const table = database.prepare("select 1 from sqlite_schema where name = 'switchroom_sessions'")
    if (table.get()) await transaction(onSqlite(database), (tx) => endAllSessions(tx, Date.now()))
    else database.exec('delete from switchroom_live')
    database.exec('pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

/** Replaces the empty folder in one step. */
async function moveInto(target: string, beside: string) {
  const parent = dirname(target)
  try {
    await rename(beside, target)
  } catch (e) {
    if (['EBUSY', 'EXDEV', 'EPERM', 'EACCES'].includes(errorCode(e) ?? ''))
      throw new BackupFailed(
        'refused',
        `${target} cannot be replaced (${fileReason(e)}). If it is a mount point, restore into a folder in it and set SWITCHROOM_DATA to that.`,
        e,
      )
    throw e
  }
  const handle = await open(parent)
  await handle.sync().catch(() => undefined)
  await handle.close()
}
