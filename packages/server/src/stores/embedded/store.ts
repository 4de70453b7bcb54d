import { MessageChannel, Worker } from 'node:worker_threads'
import type { Call } from '@switchroom/contract'
import { type AlertStore, type CallStore, lineOf, type Metrics } from '../calls.ts'
import { StoreUnavailable } from '../unavailable.ts'
import { asking } from './ports.ts'

export type ThreadOptions = {
  folder: string
  /** What is older is forgotten. */
  days: number
  /** What is more is forgotten, the oldest first. */
  max_bytes: number
  /** Where platform components send to. */
  listen?: { host: string; port: number } | undefined
}

type Thread = { worker: Worker; ask: ReturnType<typeof asking>['ask']; over: Promise<void> }

const GONE = 'The store of call records stopped; it is being started again'

/**
 * Call records and alerts in files of our own. Two threads, started when first needed: one takes in and
 * writes, one reads, so neither holds up the other or this thread.
 */
export function embeddedStores(options: ThreadOptions) {
  let reader: Thread | undefined
  let writer: Thread | undefined
  let closing = false

  const start = (file: string, gone: () => void): Thread => {
    if (closing) throw new StoreUnavailable('The store of call records is closed')
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: options,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
    const { ask, fail } = asking(worker)
    worker.on('error', (e) => process.stderr.write(`${file}: ${e.stack}\n`))
    const over = new Promise<void>((resolve) =>
      worker.once('exit', () => {
        gone()
        fail(GONE)
        resolve()
      }),
    )
    return { worker, ask, over }
  }
  /** What is asked of the writer is answered by the reader. */
  const connect = () => {
    if (!reader || !writer) return
    const { port1, port2 } = new MessageChannel()
    reader.worker.postMessage({ attach: port1 }, [port1])
    writer.worker.postMessage({ reader: port2 }, [port2])
  }
  const reading = () => {
    if (!reader) {
      reader = start('./reader-thread.ts', () => {
        reader = undefined
        if (writer && !closing) reading()
      })
      connect()
    }
    return reader
  }
  const writing = () => {
    if (!writer) {
      writer = start('./writer-thread.ts', () => {
        writer = undefined
        // components do not send again what they could not deliver
        if (options.listen && !closing) setTimeout(() => !closing && writing(), 1_000)
      })
      if (reader) connect()
      else reading()
    }
    return writer
  }

  const calls: CallStore = {
    list: async (filter, page) => reading().ask('list', filter, page),
    find: async (owner, by) => reading().ask('find', owner, by),
    figures: async (owner, span) => reading().ask('figures', owner, span),
    async *each(filter) {
      const { ask } = reading()
      const id: number = await ask('begin', filter)
      try {
        for (;;) {
          const batch = await ask<Call[] | undefined>('next', id)
          if (!batch) return
          yield* batch
        }
      } finally {
        await ask('end', id)
      }
    },
  }
  const alerts: AlertStore = {
    list: async (filter, page) => reading().ask('alerts', filter, page),
    countSince: async (owner, since) => reading().ask('alertsSince', owner, since),
    write: async (alert) => writing().ask('write', 'alerts', lineOf(alert)),
  }
  return {
    calls,
    alerts,
    /** Listens, where that is wanted. Resolves to the port; throws where it cannot be had. */
    async open(): Promise<number | undefined> {
      if (!options.listen) return undefined
      try {
        return await writing().ask('port')
      } catch (e) {
        closing = true
        throw e
      }
    },
    /** What has come in; undefined while nothing has been written. */
    ingested: async (): Promise<Metrics | undefined> => writer?.ask('metrics'),
    /** Forgets and indexes what is due, now. */
    maintain: async (): Promise<void> => writing().ask('maintain'),
    async close() {
      closing = true
      for (const thread of [writer, reader]) {
        if (!thread) continue
        // a thread that has just gone by itself is as closed as one can be
        thread.ask('close').catch(() => undefined)
        await thread.over
      }
    },
  }
}
export type EmbeddedStores = ReturnType<typeof embeddedStores>
