import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { type Call, t } from '@switchroom/contract'
import { streamed } from '../../kit/streams.ts'
import { storeThread } from '../../kit/worker.ts'
import {
  type AlertStore,
  type CallStore,
  lineOf,
  type Metrics,
  type WaitingRows,
} from '../store.ts'

export type ThreadOptions = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
  /** The addresses to listen on for platform components. */
  listen?: { host: string; port: number } | undefined
}

/** `spool`: the folder of what waits for its day's file. */
export type WriterOptions = ThreadOptions & { spool: string }

/**
 * Stores call records and alerts in local files. Two threads, started when first needed: one ingests and
 * writes, one reads, so that neither blocks the other or this thread.
 */
export function embeddedStores(options: ThreadOptions) {
  const name = t('The store of call records')
  const spool = join(options.folder, 'spool')
  const reading = storeThread(new URL('./reader-thread.ts', import.meta.url), {
    name,
    workerData: options,
    onStart: () => connect(),
    onExit() {
      if (writing.running()) reading.start()
    },
    onMessage({ damage, outdated }) {
      if (outdated !== undefined) writing.ask('upgrade', outdated).catch(() => undefined)
      // it is reported again by the next reader if this fails
      if (Array.isArray(damage)) writing.ask('setAside', ...damage).catch(() => undefined)
    },
  })
  const writing = storeThread(new URL('./writer-thread.ts', import.meta.url), {
    name,
    workerData: { ...options, spool } satisfies WriterOptions,
    onStart() {
      if (reading.running()) connect()
      else reading.start()
    },
    onMessage({ replaced }) {
      if (replaced !== undefined)
        reading
          .running()
          ?.ask('reopen', replaced)
          .catch(() => undefined)
    },
    // components do not retry failed writes
    restart: options.listen && (() => writing.ask('port')),
  })
  /** Connects the threads, because the writer forwards queries to the reader. */
  const connect = () => {
    const [reader, writer] = [reading.running(), writing.running()]
    if (!reader || !writer) return
    const { port1, port2 } = new MessageChannel()
    reader.worker.postMessage({ attach: port1 }, [port1])
    writer.worker.postMessage({ reader: port2 }, [port2])
  }

  const calls: CallStore = {
    list: async (filter, page) => reading.ask('list', filter, page),
    find: async (owner, by) => reading.ask('find', owner, by),
    ofTraces: async (trace_ids, span) => reading.ask('ofTraces', trace_ids, span),
    dialed: async (owner, span, limit) => reading.ask('dialed', owner, span, limit),
    figures: async (owner, span, time_zone) => reading.ask('figures', owner, span, time_zone),
    trunks: async (trunks, span, by) => reading.ask('trunks', trunks, span, by),
    trunkFailures: async (trunk, span) => reading.ask('trunkFailures', trunk, span),
    attempts: async (owner, span, step_ms) => reading.ask('attempts', owner, span, step_ms),
    async *each(filter) {
      yield* streamed<Call>(reading.start().ask, filter)
    },
  }
  const alerts: AlertStore = {
    list: async (filter, page) => reading.ask('alerts', filter, page),
    write: async (alert) => writing.ask('write', 'alerts', lineOf(alert)),
  }
  return {
    calls,
    alerts,
    /** Starts listening if configured. Resolves to the port; throws if it is not available. */
    async open(): Promise<number | undefined> {
      if (options.listen) return writing.listen('port')
      // what waits is stored although nobody listens any more
      if (existsSync(spool)) writing.start()
      return undefined
    },
    /** Ingest metrics; undefined until the first write. */
    ingested: async (): Promise<Metrics | undefined> => writing.running()?.ask('metrics'),
    /** What waits in the data folder for the file of its day, and why; undefined until the first write. */
    waiting: async (): Promise<WaitingRows | undefined> => writing.running()?.ask('waiting'),
    /** Runs maintenance now. */
    maintain: async (): Promise<void> => writing.ask('maintain'),
    async close() {
      await writing.close()
      await reading.close()
    },
  }
}
export type EmbeddedStores = ReturnType<typeof embeddedStores>
