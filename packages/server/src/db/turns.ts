/** Resolves when it is the caller's turn, to what ends it. Turns are taken in the order they were asked for. */
export type Turns = () => Promise<() => void>

/** So many turns at once. */
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
