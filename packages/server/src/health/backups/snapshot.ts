import { constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { errorCode, errorNumber } from '../../errors/members.ts'
import { DATA, isSafe } from './manifest.ts'
import { timeOf } from './names.ts'

/** Where a backup keeps copies of databases while it writes them. */
export const STAGING = /^\.backup-[\da-f]{8}$/

const DATABASE = /\.db$/
/** Part of their database, drafts of killed processes, and what is not the data's. */
const IGNORED = [/-(?:wal|shm|journal)$/, /\.part$/, /^backups\.db/]

const isIgnored = (name: string) =>
  name.startsWith('.') || timeOf(name) !== undefined || IGNORED.some((each) => each.test(name))

const isGone = (e: unknown) => errorCode(e) === 'ENOENT'

type Found = { path: string; name: string }

type Choice = {
  wanted: (name: string) => boolean
  /** Called for a file whose name cannot be restored. */
  onUnsafe: (name: string) => void
}

/** The files below a folder, sorted by name. Follows symbolic links. */
export async function* filesOf(
  folder: string,
  choice: Choice,
  prefix = DATA,
): AsyncGenerator<Found> {
  const entries = await readdir(folder).catch((e: unknown) => {
    if (isGone(e)) return []
    throw e
  })
  for (const entry of entries.sort()) {
    const name = `${prefix}${entry}`
    const path = join(folder, entry)
    if (isIgnored(entry) || !choice.wanted(name)) continue
    if (!isSafe(name)) {
      choice.onUnsafe(name)
      continue
    }
    // retention deletes files at any time
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isDirectory()) yield* filesOf(path, choice, `${name}/`)
    else if (stats?.isFile()) yield { path, name }
  }
}

/** A file to read from its start to `size`, even if it grows. */
export type Frozen = { handle: FileHandle; size: number }

/** Undefined if the file has just been deleted. */
export async function freeze(path: string): Promise<Frozen | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY)
    return { handle, size: (await handle.stat()).size }
  } catch (e) {
    if (isGone(e)) return undefined
    throw e
  }
}

export const isDatabase = (name: string) => DATABASE.test(name)

/** SQLITE_CORRUPT and SQLITE_NOTADB */
const DAMAGED = [11, 26]
const ALL_PAGES = 2_147_483_647

/**
 * Copies a database as it is at one moment, while others read and write it. Resolves to false if it is too
 * damaged to copy, and to undefined if it has just been deleted.
 */
export async function copyDatabase(path: string, to: string): Promise<boolean | undefined> {
  await rm(to, { force: true })
  let source: DatabaseSync | undefined
  try {
    // not opened for writing, which could create a file that was just deleted
    source = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
    // in one step: between steps, a write by another process would begin the copy anew
    await backup(source, to, { rate: ALL_PAGES })
    return true
  } catch (e) {
    const code = (errorNumber(e, 'errcode') ?? 0) & 0xff
    if (DAMAGED.includes(code)) return false
    if (!(await freeze(path).then((file) => file?.handle.close().then(() => true))))
      return undefined
    throw e
  } finally {
    source?.close()
  }
}
