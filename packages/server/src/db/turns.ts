/** Resolves when it is the caller's turn, to what ends it. Turns are taken in the order they were asked for. */
export type Turns = () => Promise<() => void>

export function turns(): Turns {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = promise
    await before
    return resolve
  }
}
