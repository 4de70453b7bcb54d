import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errorCode, errorMessage, errorNumber } from '../../errors/members.ts'
import { writeLine } from './failure-log.ts'
import { StoreUnavailable } from './unavailable.ts'

/** SQLite's primary result codes. */
const ERROR = 1
const CORRUPT = 11
const NOT_A_DATABASE = 26
const FULL = 13
const IO_ERROR = 10
/** Values that are too big, break a constraint, have the wrong type or place; and misuse. */
const OF_CONTENTS = new Set([18, 19, 20, 21, 25])
/** Extended codes of reads that failed: bad sectors and files that end too early. */
const READ_FAILED = new Set([266, 522, 8458])

/** The names of files that were set aside: `2026-11-23.db.damaged-20261123T061500Z`. */
const SET_ASIDE = /\.damaged-\d{8}T\d{6}Z(?:-\d+)?$/
export const isSetAside = (name: string) => SET_ASIDE.test(name)

/** Contents that no version of this program writes, such as JSON that is none. */
export class DamagedRow extends Error {
  override name = 'DamagedRow'
}

/**
 * Whether the file is damaged: SQLite says so, or its contents are unreadable. No other error means it, such as a missing
 * table or column: that is an error of this program. `db` is asked if the error does not tell.
 */
export function isDamage(e: unknown, db?: DatabaseSync): boolean {
  const code = errorNumber(e, 'errcode')
  if (code !== undefined && code !== ERROR)
    return READ_FAILED.has(code) || [CORRUPT, NOT_A_DATABASE].includes(code & 0xff)
  if (e instanceof DamagedRow) return true
  // a damaged page may read as other values, which then make no sense
  return db !== undefined && !isIntact(db)
}

/** The verdict on an open file: errors that repeat would read all of it each time. */
const intact = new WeakMap<DatabaseSync, boolean>()

/** Whether SQLite finds no damage in a file. Reads all of it, once. */
export function isIntact(db: DatabaseSync): boolean {
  let verdict = intact.get(db)
  if (verdict === undefined) {
    verdict = check(db)
    intact.set(db, verdict)
  }
  return verdict
}

function check(db: DatabaseSync): boolean {
  try {
    const [first] = Object.values(db.prepare('pragma quick_check(1)').get() ?? {})
    return first === 'ok'
  } catch (e) {
    // another error than damage tells nothing
    const code = errorNumber(e, 'errcode')
    return code === undefined || ![CORRUPT, NOT_A_DATABASE, IO_ERROR].includes(code & 0xff)
  }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size

/** Whether a file has nothing in it: its first write did not come about, as on a full disk. */
export const isUnwritten = (file: string) => sizeOf(file) === 0 && !sizeOf(`${file}-wal`)

/** Whether a file has lost its contents, and has newer ones in its WAL alone, which SQLite would delete. */
export const isEmptied = (file: string) => sizeOf(file) === 0 && !isUnwritten(file)

/**
 * Renames a damaged file, so that a fresh one can take its place, and says so in the log. Nothing is deleted:
 * `npm run recover` reads what can still be read. The file must be closed.
 */
export function setAside(file: string, why: unknown) {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  let aside = `${file}.damaged-${time}`
  for (let i = 2; existsSync(aside); i++) aside = `${file}.damaged-${time}-${i}`
  // the newest records may be in the WAL alone
  for (const end of ['-wal', '-shm', ''])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${aside}${end}`)
  const reason = typeof why === 'string' ? why : errorMessage(why)
  writeLine(
    'error',
    { file, why: reason, aside: basename(aside) },
    'A damaged file of records was set aside: npm run recover reads what can be saved',
  )
}

/** Deletes a file that is closed. The WAL first: a leftover one would be replayed into a new file of that name. */
export function removeFile(file: string) {
  for (const end of ['-wal', '-shm', '']) rmSync(`${file}${end}`, { force: true })
}

/** The files that were set aside in these folders. */
export const damagedFiles = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter(isSetAside)
          .map((name) => join(folder, name))
      : [],
  )

/** The name that a file had before it was set aside. */
export const formerName = (file: string) => file.replace(SET_ASIDE, '')

/** Renames a file whose records were saved. */
export function markRecovered(file: string) {
  const done = join(dirname(file), basename(file).replace('.damaged-', '.recovered-'))
  for (const end of ['-wal', '-shm', ''])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${done}${end}`)
}

const resultCode = (e: unknown) => (errorNumber(e, 'errcode') ?? 0) & 0xff

export const isDiskFull = (e: unknown) => resultCode(e) === FULL || errorCode(e) === 'ENOSPC'

/** Why the disk took no more, for those who may try again later. Undefined for other errors. */
export function diskTrouble(e: unknown): string | undefined {
  if (isDiskFull(e)) return 'the disk is full'
  return resultCode(e) === IO_ERROR ? 'the disk failed' : undefined
}

/** Whether what failed may work later: the reason is the file or the system, not what is written or this program. */
export function mayPass(e: unknown): boolean {
  if (e instanceof StoreUnavailable || errorNumber(e, 'errno') !== undefined) return true
  const code = resultCode(e)
  return code !== 0 && !OF_CONTENTS.has(code)
}
