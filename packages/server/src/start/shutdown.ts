import type { Server } from 'node:http'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C arrives from the terminal and again through npm: both count as one request. */
const SAME_REQUEST_MS = 1_000
/** Time limit for requests in flight. */
const REQUESTS_MS = 5_000

/** Parts that are closed at the same time, by name, and the time limit. */
export type Step = { limit_ms: number; close: Record<string, () => Promise<unknown>> }

/** Time before the server stops listening, in which it reports that it is not ready but still answers. */
type Drain = { seconds: number; begin: () => void }

type Log = { error: (details: object, sentence: string) => void }

/** Runs the steps in order, and each within its limit. Resolves to whether all of it was closed. */
export async function closeInOrder(steps: readonly Step[], log: Log): Promise<boolean> {
  let isClean = true
  for (const { limit_ms, close } of steps)
    await Promise.all(
      Object.entries(close).map(async ([part, work]) => {
        try {
          await within(limit_ms, work())
        } catch (err) {
          isClean = false
          log.error({ err, part }, `shutdown: ${part} did not close`)
        }
      }),
    )
  return isClean
}

async function within(limit_ms: number, work: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not closed within ${limit_ms} ms`)), limit_ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Exits on the first signal after running the steps, and at once on a later one. */
export function stopOnSignals(server: Server, drain: Drain, steps: readonly Step[], log: Log) {
  let began: number | undefined
  const stop = () => {
    if (began !== undefined) {
      if (performance.now() - began > SAME_REQUEST_MS) process.exit(1)
      return
    }
    began = performance.now()
    drain.begin()
    setTimeout(end, drain.seconds * 1_000)
  }
  const end = () => {
    setTimeout(() => server.closeAllConnections(), REQUESTS_MS).unref()
    closeInOrder(steps, log).then((isClean) => process.exit(isClean ? 0 : 1))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}
