import { existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { errorMessage } from '../../errors/members.ts'
import {
  damagedFiles,
  formerName,
  isEmptied,
  isIntact,
  isUnwritten,
  removeFile,
} from '../kit/damage.ts'
import { writeLine } from '../kit/failure-log.ts'
import { type Kind, userVersion, VERSIONS } from '../kit/formats.ts'
import { UNREADABLE } from '../voice/files/day.ts'
import { saving } from './recover.ts'

/**
 * Brings back the files of a folder that are set aside but not damaged: versions before set aside what they could not
 * read for other reasons. A file takes its place again, or if there is a new one, its records are added to that. Other
 * requests run in between, and an interrupted run is repeated. Ends early once `isStopped`.
 */
export async function restoreUndamaged(kind: Kind, folder: string, isStopped: () => boolean) {
  // the newest first: what was set aside before is older than that
  for (const file of damagedFiles([folder]).sort().reverse()) {
    await setImmediate()
    if (isStopped()) return
    try {
      // versions before called it damaged
      if (isUnwritten(file)) {
        removeFile(file)
        continue
      }
      if (!isInPlace(file)) {
        if (!settle(kind, file)) continue
        if (!takesPlace(file) && !(await merge(kind, file, isStopped))) continue
      }
      writeLine(
        'info',
        { file: formerName(file), aside: basename(file) },
        'A file of records that was set aside, and is not damaged, is in use again',
      )
    } catch (e) {
      writeLine(
        'error',
        { file, why: errorMessage(e) },
        'A file of records that was set aside cannot be brought back yet',
      )
    }
  }
}

/** Whether it has its former name already: a run before was interrupted between the two. */
function isInPlace(file: string): boolean {
  const place = statSync(formerName(file), { throwIfNoEntry: false })
  if (place?.ino !== statSync(file).ino) return false
  rmSync(file)
  return true
}

/** Whether it has records that this version can read, and no damage. Its newest ones are moved from the WAL into it. */
function settle(kind: Kind, file: string): boolean {
  if (isEmptied(file)) return false
  const db = new DatabaseSync(file, { timeout: 5_000 })
  try {
    const version = userVersion(db)
    if (version < 1 || version > VERSIONS[kind] || !isIntact(db)) return false
    if (kind === 'voice' && db.prepare(UNREADABLE).get()) return false
    // renamed alone, it is complete
    return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
  } catch {
    // damaged so that it cannot even be opened
    return false
  } finally {
    db.close()
  }
}

/** Gives it its former name, unless another file has that. */
function takesPlace(file: string): boolean {
  const place = formerName(file)
  if (existsSync(place)) return false
  // of no file
  for (const end of ['-wal', '-shm']) rmSync(`${place}${end}`, { force: true })
  linkSync(file, place)
  removeFile(file)
  return true
}

async function merge(kind: Kind, file: string, isStopped: () => boolean): Promise<boolean> {
  const batches = saving(kind, file)
  while (!batches.next().done) {
    await setImmediate()
    if (isStopped()) return false
  }
  return true
}
