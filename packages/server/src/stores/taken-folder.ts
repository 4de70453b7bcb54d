import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorNumber } from '../errors/members.ts'

const BUSY = 5

/**
 * Takes a folder, so that no other server stores call data in it, until the returned function is called. The lock is
 * the operating system's: it ends with this process in any case. Throws if another server has it.
 */
export function takeFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // nothing else may open this file: closing it would end the lock
  const lock = new DatabaseSync(join(folder, '.taken'))
  try {
    nameOwner(lock)
    lock.exec('begin immediate')
  } catch (e) {
    const owner = ownerOf(lock)
    lock.close()
    // a disk that takes nothing has nothing to protect
    if (errorNumber(e, 'errcode') !== BUSY) return () => undefined
    throw new Error(
      `SWITCHROOM_DATA: another server takes call data into ${folder} (${owner}). Stop it, or unset the SWITCHROOM_INGEST_ variables of one of them.`,
    )
  }
  return () => lock.close()
}

/** A full disk keeps nobody from taking a folder that was taken before. */
function nameOwner(lock: DatabaseSync) {
  try {
    lock.exec('begin immediate; create table if not exists owner (name text); delete from owner')
    lock.prepare('insert into owner values (?)').run(`process ${process.pid} on ${hostname()}`)
    lock.exec('commit')
  } catch (e) {
    if (errorNumber(e, 'errcode') === BUSY) throw e
    if (lock.isTransaction) lock.exec('rollback')
  }
}

function ownerOf(lock: DatabaseSync): string {
  try {
    return String(lock.prepare('select name from owner').get()?.name)
  } catch {
    return 'unknown'
  }
}
