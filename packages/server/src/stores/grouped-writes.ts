type Waiting<T> = { items: readonly T[]; done: PromiseWithResolvers<void> }

/** Group commit: what is written in the same turn shares one transaction, which `write` makes. */
export function groupedWrites<T>(
  write: (items: T[]) => void,
): (items: readonly T[]) => Promise<void> {
  let waiting: Waiting<T>[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    try {
      write(group.flatMap(({ items }) => items))
      for (const { done } of group) done.resolve()
    } catch (e) {
      for (const { done } of group) done.reject(e)
    }
  }
  return (items) => {
    const done = Promise.withResolvers<void>()
    if (waiting.length === 0) setImmediate(flush)
    waiting.push({ items, done })
    return done.promise
  }
}
