import type { Server } from 'node:http'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C reaches us from the terminal and once more through npm: that is one request to stop, not two. */
const SAME_REQUEST_MS = 1_000
/** Requests in flight may take this long. Supervisors commonly kill after 10 seconds. */
const REQUESTS_MS = 5_000
const ALL_MS = 9_000

/** Ends the process on the first signal, after `close`, and at once on a later one. */
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
