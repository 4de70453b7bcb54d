/** Whoever asks for the same while it is under way gets the same answer, or the same failure. */
export function sharing<T>() {
  const under_way = new Map<string, Promise<T>>()
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const there = under_way.get(key)
    if (there) return there
    const begun = work().finally(() => under_way.delete(key))
    under_way.set(key, begun)
    return begun
  }
}
