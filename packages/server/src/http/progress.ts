import type { Progress } from '@switchroom/contract'

/** Lets work on many rows report progress, and learn that its reader has gone. */
export type Reporting = { report: (progress: Progress) => void; stopped: () => boolean }

/** For callers who did not ask for progress. */
export const SILENT: Reporting = { report: () => undefined, stopped: () => false }

/** Thrown when the reader has gone: nothing is kept. */
export class Stopped extends Error {}

/**
 * Runs `work` and yields its latest progress, then its result. When the reader stops, `stopped` becomes
 * true for `work`, whose end is waited for.
 */
export async function* progressOf<P, R>(
  work: (report: (progress: P) => void, stopped: () => boolean) => Promise<R>,
): AsyncGenerator<P, R> {
  let latest: P | undefined
  let over = false
  let stopped = false
  let wake = () => {}
  const running = work(
    (progress) => {
      latest = progress
      wake()
    },
    () => stopped,
  ).finally(() => {
    over = true
    wake()
  })
  // handled below; until then not an unhandled rejection
  running.catch(() => {})
  try {
    while (!over) {
      if (latest === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (latest === undefined) continue
      const progress = latest
      latest = undefined
      yield progress
    }
    return await running
  } finally {
    stopped = true
    // no work continues once this has ended
    await running.catch(() => undefined)
  }
}
