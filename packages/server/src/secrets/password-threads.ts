import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Passwords } from './passwords.ts'

/** With `stored`, whether that is the hash of `plain`; without, the hash. */
export type PasswordTask = { plain: string; stored?: string }
export type PasswordAnswer = { result: string | boolean } | { failure: string }

type Waiting = {
  task: PasswordTask
  resolve: (result: string | boolean) => void
  reject: (e: Error) => void
}

const CLOSED = 'Passwords are not checked any more'

/** A thread that has nothing to do ends, which frees some megabytes. */
const IDLE_MS = 60_000

/** A password hash takes a processor for a tenth of a second: one stays for everything else. */
export const PASSWORD_THREADS = availableParallelism() > 2 ? 2 : 1

/**
 * Hashes and verifies passwords in threads of lower priority than requests, so that nobody waits for somebody else's
 * log-in.
 */
export function passwordThreads(count = PASSWORD_THREADS, idle_ms = IDLE_MS): Passwords {
  const waiting: Waiting[] = []
  const idle: Thread[] = []
  const all = new Set<Thread>()
  let closed = false

  const advance = () => {
    while (waiting.length > 0) {
      const thread = idle.pop() ?? (all.size < count ? start() : undefined)
      if (!thread) return
      thread.run(waiting.shift()!)
    }
  }

  type Thread = { run: (one: Waiting) => void; stop: () => Promise<unknown> }
  function start(): Thread {
    const worker = new Worker(new URL('./password-thread.ts', import.meta.url), { execArgv: [] })
    let current: Waiting | undefined
    let timer: NodeJS.Timeout | undefined
    const rest = () => {
      current = undefined
      // neither the thread nor its timer keeps the process running
      worker.unref()
      timer = setTimeout(() => thread.stop(), idle_ms).unref()
      idle.push(thread)
    }
    const thread: Thread = {
      run(one) {
        clearTimeout(timer)
        current = one
        worker.ref()
        worker.postMessage(one.task)
      },
      stop() {
        forget()
        return worker.terminate()
      },
    }
    const forget = () => {
      clearTimeout(timer)
      all.delete(thread)
      const index = idle.indexOf(thread)
      if (index >= 0) idle.splice(index, 1)
    }
    worker.on('message', (answer: PasswordAnswer) => {
      const done = current
      rest()
      if ('failure' in answer) done?.reject(new Error(answer.failure))
      else done?.resolve(answer.result)
      advance()
    })
    const over = (why: Error) => {
      forget()
      current?.reject(why)
      current = undefined
      advance()
    }
    worker.on('error', over)
    worker.on('exit', () => over(new Error('The thread that checks passwords stopped')))
    all.add(thread)
    return thread
  }

  const ask = (task: PasswordTask) =>
    new Promise<string | boolean>((resolve, reject) => {
      if (closed) return reject(new Error(CLOSED))
      waiting.push({ task, resolve, reject })
      advance()
    })

  return {
    hash: async (plain) => String(await ask({ plain })),
    verify: async (stored, plain) => (await ask({ plain, stored })) === true,
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error(CLOSED))
      await Promise.all([...all].map((thread) => thread.stop()))
    },
  }
}
