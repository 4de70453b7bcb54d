import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/** Outcome of one item of a batch. */
export type Outcome<R> = { result: R } | { error: unknown }

/**
 * Works on the items that it takes, once, and resolves to their outcomes in the same order. It takes them as late
 * as it can: those that come until then belong to the same batch.
 */
type Work<I, R> = (take: () => I[]) => Promise<Outcome<R>[]>

/** Batches of different lanes run independently of each other. */
export type Batches<I, R> = (lane: string, item: I, work: Work<I, R>) => Promise<R>

type Waiting<I, R> = {
  item: I
  done: PromiseWithResolvers<R>
  /** Runs something for its request, as traces and the log show it. */
  forIt: ReturnType<typeof AsyncLocalStorage.snapshot>
}

/**
 * Runs one batch at a time. Items that arrive in the meantime form the next batch: the more are waiting, the fewer
 * transactions each costs.
 */
export function batches<I, R>(most: number): Batches<I, R> {
  const lanes = new Map<string, Waiting<I, R>[]>()

  async function runAll(lane: string, waiting: Waiting<I, R>[], work: Work<I, R>) {
    while (waiting.length > 0) {
      // requests that have arrived as well: an embedded database lets none in between
      await setImmediate()
      let batch: Waiting<I, R>[] = []
      const take = () => {
        // a transaction may run again, on the same items
        if (batch.length === 0) batch = waiting.splice(0, most)
        return batch.map(({ item }) => item)
      }
      const outcomes = await waiting[0]!.forIt(work, take).catch((error: unknown) => {
        // it failed before it took any
        if (batch.length === 0) take()
        return batch.map(() => ({ error }))
      })
      batch.forEach(({ done }, i) => {
        const outcome = outcomes[i]!
        if ('error' in outcome) done.reject(outcome.error)
        else done.resolve(outcome.result)
      })
    }
    lanes.delete(lane)
  }

  return (lane, item, work) => {
    const one = { item, done: Promise.withResolvers<R>(), forIt: AsyncLocalStorage.snapshot() }
    const waiting = lanes.get(lane)
    if (waiting) waiting.push(one)
    else {
      const begun = [one]
      lanes.set(lane, begun)
      runAll(lane, begun, work)
    }
    return one.done.promise
  }
}
