import { parentPort, workerData } from 'node:worker_threads'
import { errorNumber, errorText } from '../errors/members.ts'
import { openSqlite } from './open-sqlite.ts'
import { execute, nodeSqlite } from './sqlite.ts'
import type { Answer, Question } from './sqlite-worker.ts'

// runs the statements of one large transaction

const { file } = workerData as { file: string }
const database = nodeSqlite(openSqlite(file))

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
