export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/** Whoever asks for the same while it is under way gets the same answer, or the same failure. */
export function singleFlight<T>(): SingleFlight<T> {
  const under_way = new Map<string, Promise<T>>()
  return (key, work) => {
    const there = under_way.get(key)
    if (there) return there
    const begun = work().finally(() => under_way.delete(key))
    under_way.set(key, begun)
    return begun
  }
}
