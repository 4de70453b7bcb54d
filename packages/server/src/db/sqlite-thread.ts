import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { errorNumber, errorText } from '../errors/members.ts'
import { openSqlite } from './open-sqlite.ts'
import { execute, nodeSqlite } from './sqlite.ts'
import type { Answer, Question, ThreadFor } from './sqlite-worker.ts'

// runs the statements of one large transaction, or reads that take long

const { file, purpose } = workerData as ThreadFor
const opened = openSqlite(file)
if (purpose === 'slow reads') {
  // they read more than any cache holds
  opened.exec('pragma cache_size = -4000')
  // on Linux each thread has a priority of its own; elsewhere this would be the whole process's
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
const database = nodeSqlite(opened)

parentPort!.on('message', ({ sql, parameters }: Question) => {
  parentPort!.postMessage(answerTo(sql, parameters))
})

function answerTo(sql: string, parameters: readonly unknown[]): Answer {
  try {
    return { result: execute(database, sql, parameters) }
  } catch (e) {
    // copied errors keep neither their code nor their number
    return {
      error: {
        message: e instanceof Error ? e.message : String(e),
        code: errorText(e, 'code'),
        errcode: errorNumber(e, 'errcode'),
      },
    }
  }
}
