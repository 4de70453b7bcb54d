import type { Batch, Ingest } from './ingest.ts'

type Waiting = { batch: Batch; done: PromiseWithResolvers<void> }

/** Group commit: concurrent writes share one transaction. */
export function groupedWrites(ingest: Ingest): (batch: Batch) => Promise<void> {
  let waiting: Waiting[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    try {
      ingest.write(group.flatMap(({ batch }) => batch))
      for (const { done } of group) done.resolve()
    } catch (e) {
      for (const { done } of group) done.reject(e)
    }
  }
  return (batch) => {
    const done = Promise.withResolvers<void>()
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ batch, done })
    return done.promise
  }
}
