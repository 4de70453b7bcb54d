/** Resolves when it is the caller's turn, to a function that ends it. Turns are taken in order of request. */
export type Turns = () => Promise<() => void>

/** Turns, this many at once. */
export function turns(atOnce = 1): Turns {
  let free = atOnce
  const waiting: (() => void)[] = []
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return end
  }
}
