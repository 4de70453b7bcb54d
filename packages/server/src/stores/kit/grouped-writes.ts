type Waiting<T> = { items: readonly T[]; done: PromiseWithResolvers<void> }

/** Group commit: what comes in the same turn, or while others are written, shares one transaction, which `write` makes. */
export function groupedWrites<T>(
  write: (items: T[]) => void | Promise<void>,
): (items: readonly T[]) => Promise<void> {
  let waiting: Waiting<T>[] = []
  let isWriting = false
  const flush = async () => {
    const group = waiting
    waiting = []
    try {
      await write(group.flatMap(({ items }) => items))
      for (const { done } of group) done.resolve()
    } catch (e) {
      for (const { done } of group) done.reject(e)
    }
    isWriting = waiting.length > 0
    if (isWriting) setImmediate(flush)
  }
  return (items) => {
    const done = Promise.withResolvers<void>()
    waiting.push({ items, done })
    if (!isWriting) setImmediate(flush)
    isWriting = true
    return done.promise
  }
}
