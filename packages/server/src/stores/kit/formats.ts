import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { t } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'
import { StoreUnavailable } from './unavailable.ts'

/** Newest version of each kind of file that this program knows, by folder. */
export const VERSIONS = { calls: 4, traces: 3, captures: 1, voice: 2 } as const
export type Kind = keyof typeof VERSIONS

/** A file written by a newer version of this program. It is left alone. */
export class NewerFile extends StoreUnavailable {
  override name = 'NewerFile'
}

/** The version of a file that may be at most this one. */
export function knownVersion(file: string, version: number, newest: number): number {
  if (version >= 0 && version <= newest) return version
  throw new NewerFile(
    t(
      '{file} was written by a newer version of Switchroom (format {version}, and this version knows up to {newest}). Start that version.',
      { file: basename(file), version, newest },
    ),
  )
}

export const userVersion = (db: DatabaseSync) =>
  Number(db.prepare('pragma user_version').get()?.user_version)

/** The files of a folder that a newer version wrote, by their headers. */
export const newerFiles = (kind: Kind, folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.db'))
        .map((name) => join(folder, name))
        .filter((file) => (versionInHeader(file) ?? 0) > VERSIONS[kind])
    : []

/** `user_version` as https://www.sqlite.org/fileformat.html places it; undefined without a header, or a file. */
export function versionInHeader(file: string): number | undefined {
  const header = Buffer.alloc(64)
  try {
    const opened = openSync(file, 'r')
    try {
      readSync(opened, header, { position: 0 })
    } finally {
      closeSync(opened)
    }
  } catch (e) {
    // removed since it was listed
    if (errorCode(e) === 'ENOENT') return undefined
    throw e
  }
  return header.toString('latin1', 0, 15) === 'SQLite format 3' ? header.readInt32BE(60) : undefined
}

/** Runs work in a transaction that is the only one that writes. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate')
  try {
    const result = work()
    db.exec('commit')
    return result
  } catch (e) {
    if (db.isTransaction) db.exec('rollback')
    throw e
  }
}

/** The steps of a format by the version that each begins with. It ends with the next one. */
export type Steps = Record<number, () => void>

/**
 * Brings a file to the present version, one step at a time, each in a transaction with its version: a file that is
 * interrupted anywhere is of one version or of the next. `version` is read again within the transaction, because another
 * process may have been faster.
 */
export function migrate(
  db: DatabaseSync,
  steps: Steps,
  {
    version = () => userVersion(db),
    within = (work) => transaction(db, work),
  }: { version?: () => number; within?: (work: () => void) => void } = {},
) {
  for (let from = version(); steps[from]; from = version())
    within(() => {
      if (version() !== from) return
      steps[from]!()
      db.exec(`pragma user_version = ${from + 1}`)
    })
}
