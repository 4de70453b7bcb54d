import { type CompiledQuery, Kysely } from 'kysely'
import { errorNumber } from '../errors/members.ts'
import type { Db } from './open.ts'
import { sqliteWorkerDialect } from './sqlite-worker.ts'
import { type Watch, watched } from './watched.ts'

/** Runs a read that takes long where it keeps nobody else waiting. */
export type SlowRead = <R>(query: CompiledQuery<R>) => Promise<R[]>

/** A thread that has nothing to do ends, which frees some megabytes. */
const IDLE_MS = 10_000

/** Reads a SQLite file in a thread, one read at a time. */
export function slowReads(file: string, watch: Watch, idle_ms = IDLE_MS) {
  let thread: Db | undefined
  let running = 0
  let timer: NodeJS.Timeout | undefined

  async function close() {
    clearTimeout(timer)
    const ended = thread
    thread = undefined
    await ended?.destroy()
  }

  const read: SlowRead = async (query) => {
    clearTimeout(timer)
    const own: Db =
      thread ??
      new Kysely({ dialect: watched(sqliteWorkerDialect({ file, purpose: 'slow reads' }), watch) })
    thread = own
    running++
    try {
      return (await own.executeQuery(query)).rows
    } catch (e) {
      // not SQLite's: the thread has stopped, and the next read starts another
      if (errorNumber(e, 'errcode') === undefined && thread === own) thread = undefined
      throw e
    } finally {
      running--
      if (running === 0) timer = setTimeout(close, idle_ms).unref()
    }
  }
  return { read, close }
}
