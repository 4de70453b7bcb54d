import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { t } from '@switchroom/contract'
import { StoreUnavailable } from './unavailable.ts'

/** A file that a newer version of this program wrote. It is left as it is. */
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
