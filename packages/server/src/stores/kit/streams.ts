import type { Ask } from './ports.ts'

const MAX_STREAMS = 64

/** What a thread serves so that others can stream from it, in batches. */
export function streams<A extends unknown[], T>(open: (...args: A) => AsyncGenerator<T[]>) {
  const running = new Map<number, AsyncGenerator<T[]>>()
  let next = 0
  return {
    begin(...args: A) {
      // the oldest stream has been abandoned
      if (running.size >= MAX_STREAMS) running.delete(running.keys().next().value!)
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
    end: (id: number) => void running.delete(id),
  }
}

/** What a thread streams. */
export async function* streamed<T>(ask: Ask, ...args: unknown[]): AsyncGenerator<T> {
  const id: number = await ask('begin', ...args)
  try {
    for (;;) {
      const batch = await ask<T[] | undefined>('next', id)
      if (!batch) return
      yield* batch
    }
  } finally {
    await ask('end', id)
  }
}
