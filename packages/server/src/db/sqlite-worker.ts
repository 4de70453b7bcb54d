import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteDialect,
} from 'kysely'

export type ThreadFor = { file: string; purpose: 'a transaction' | 'slow reads' }
export type Question = { sql: string; parameters: readonly unknown[] }
export type Answer =
  | { result: QueryResult<unknown> }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }

/** A database file with one connection in a thread of its own, so that neither inserts nor commits block ours. */
export function sqliteWorkerDialect(of: ThreadFor): Dialect {
  const dialect = new SqliteDialect({
    database: async () => {
      throw new Error('Only the thread opens the database')
    },
  })
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => new WorkerDriver(of),
  }
}

class WorkerDriver implements Driver {
  #worker: Worker
  #connection: WorkerConnection

  constructor(of: ThreadFor) {
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
      workerData: of,
      execArgv: [],
    })
    this.#connection = new WorkerConnection(this.#worker)
  }

  async init() {}

  acquireConnection = async () => this.#connection
  beginTransaction = () => this.#run('begin')
  commitTransaction = () => this.#run('commit')
  rollbackTransaction = () => this.#run('rollback')
  releaseConnection = async () => {}

  #run = async (statement: string) => {
    await this.#connection.executeQuery(CompiledQuery.raw(statement))
  }

  async destroy() {
    await this.#worker.terminate()
  }
}

class WorkerConnection implements DatabaseConnection {
  #worker: Worker
  #asked: PromiseWithResolvers<QueryResult<unknown>>[] = []
  #failure: unknown

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (answer: Answer) => {
      const asked = this.#asked.shift()!
      if ('result' in answer) asked.resolve(answer.result)
      else asked.reject(Object.assign(new Error(answer.error.message), answer.error))
    })
    const fail = (e: unknown) => {
      this.#failure ??= e
      for (const asked of this.#asked.splice(0)) asked.reject(this.#failure)
    }
    worker.once('error', fail)
    once(worker, 'exit').then(() => fail(new Error('The thread of the database stopped')), fail)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#failure !== undefined) throw this.#failure
    const asked = Promise.withResolvers<QueryResult<unknown>>()
    // throws for parameters that cannot be sent; the answer cannot come before the next turn
    this.#worker.postMessage({ sql, parameters } satisfies Question)
    this.#asked.push(asked)
    return (await asked.promise) as QueryResult<R>
  }

  // biome-ignore lint/correctness/useYield: large transactions read what they need at once
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('A thread answers with all rows at once')
  }
}
