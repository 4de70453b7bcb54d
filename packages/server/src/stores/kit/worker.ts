import { Worker } from 'node:worker_threads'
import { t } from '@switchroom/contract'
import { failureLog, writeLine } from './failure-log.ts'
import { type Ask, requester } from './ports.ts'
import { StoreUnavailable } from './unavailable.ts'

type Thread = { worker: Worker; ask: Ask; over: Promise<void> }

const RESTART_MS = 1_000

/**
 * A thread of a store, started when first needed. `name` is how errors call the store, as in `The store of
 * traces`. A thread that stopped by itself is started again at the next call, or with `restart` a moment later.
 */
export function storeThread(
  script: URL,
  {
    name,
    workerData,
    restart,
    onStart,
    onExit,
    onMessage,
  }: {
    name: string
    workerData: unknown
    restart?: (() => Promise<unknown>) | undefined
    onStart?: () => void
    onExit?: () => void
    /** Called with what the thread says besides its replies. */
    onMessage?: (message: Record<string, unknown>) => void
  },
) {
  let thread: Thread | undefined
  let closing = false
  const trouble = failureLog(name)

  const again = () => {
    if (closing) return
    restart?.().then(trouble.worked, trouble.failed)
  }

  function start(): Thread {
    if (thread) return thread
    if (closing) throw new StoreUnavailable(t('{name} is closed', { name }))
    const worker = new Worker(script, {
      workerData,
      execArgv: [],
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
    const { ask, fail } = requester(worker)
    if (onMessage) worker.on('message', onMessage)
    worker.on('error', trouble.failed)
    worker.once('online', trouble.worked)
    // warnings of Node
    worker.stderr.on('data', (text) => writeLine('warn', { thread: name }, String(text).trim()))
    const over = new Promise<void>((resolve) =>
      worker.once('exit', () => {
        thread = undefined
        fail(t('{name} stopped; it is being started again', { name }))
        if (!closing) {
          onExit?.()
          if (restart) setTimeout(again, RESTART_MS)
        }
        resolve()
      }),
    )
    thread = { worker, ask, over }
    onStart?.()
    return thread
  }

  return {
    start,
    /** The thread, unless it has not been needed yet. */
    running: () => thread,
    ask: (async (what, ...args) => start().ask(what, ...args)) satisfies Ask,
    /** Starts listening and returns the result of `what`. A store that cannot listen is closed. */
    async listen(what: string): Promise<never> {
      try {
        return await start().ask(what)
      } catch (e) {
        closing = true
        throw e
      }
    },
    async close() {
      closing = true
      if (!thread) return
      const { ask, over } = thread
      // the thread may have exited by itself, which is fine
      ask('close').catch(() => undefined)
      await over
    },
  }
}
