import type { Server } from 'node:http'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C arrives from the terminal and again through npm: both count as one request. */
const SAME_REQUEST_MS = 1_000
/** Time limit for requests in flight. Supervisors commonly kill after 10 seconds. */
const REQUESTS_MS = 5_000
const ALL_MS = 9_000

/** Exits on the first signal after running `close`, and at once on a later one. */
export function stopOnSignals(server: Server, close: () => Promise<unknown>) {
  let began: number | undefined
  const stop = () => {
    if (began !== undefined) {
      if (Date.now() - began > SAME_REQUEST_MS) process.exit(1)
      return
    }
    began = Date.now()
    setTimeout(() => server.closeAllConnections(), REQUESTS_MS).unref()
    setTimeout(() => process.exit(1), ALL_MS).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}
