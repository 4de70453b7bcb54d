import type { Ask } from './ports.ts'

const MAX_STREAMS = 64

/** Serves batches from this thread, so that other threads can stream them with `streamed`. */
export function streams<A extends unknown[], T>(open: (...args: A) => AsyncGenerator<T[]>) {
  const running = new Map<number, AsyncGenerator<T[]>>()
  let next = 0
  /** Closes what the stream reads from. */
  const end = async (id: number) => {
    const stream = running.get(id)
    running.delete(id)
    await stream?.return(undefined)
  }
  return {
    async begin(...args: A) {
      // the oldest stream has been abandoned
      if (running.size >= MAX_STREAMS) await end(running.keys().next().value!)
      running.set(next, open(...args))
      return next++
    },
    async next(id: number) {
      const stream = running.get(id)
      if (!stream) throw new Error('This export has expired')
      running.delete(id)
      const { value, done } = await stream.next()
      if (done) return undefined
      running.set(id, stream)
      return value
    },
    end,
  }
}

/** Streams from a thread that serves `streams`. It reads the next batch while the last one is used. */
export async function* streamed<T>(ask: Ask, ...args: unknown[]): AsyncGenerator<T> {
  const id: number = await ask('begin', ...args)
  const read = () => {
    const reading = ask<T[] | undefined>('next', id)
    // told to whoever awaits it
    reading.catch(() => undefined)
    return reading
  }
  let reading = read()
  try {
    for (;;) {
      const batch = await reading
      if (!batch) return
      reading = read()
      yield* batch
    }
  } finally {
    // a stream that is being read does not end
    await reading.catch(() => undefined)
    await ask('end', id)
  }
}
