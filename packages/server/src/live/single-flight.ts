export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/** Concurrent calls with the same key share one run of `work`, with its result or failure. */
export function singleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>()
  return (key, work) => {
    const current = running.get(key)
    if (current) return current
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
