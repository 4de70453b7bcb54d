const FIRST_MS = 400
const LONGEST_MS = 30_000

/** Statuses after which the same request may succeed. */
const TRANSIENT = [429, 502, 503, 504]

export const isTransient = (status: number) => TRANSIENT.includes(status)

/** Returns the seconds that an answer asks to wait. */
export function retryAfterIn({ headers }: Response) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

/**
 * Milliseconds before a try is repeated: as long as the server says, else twice as long each time, and up to as long
 * again so that clients do not come together. Undefined if that is too long to wait for.
 */
export function pauseBefore(tries: number, retryAfter: number | undefined, random: () => number) {
  const pause = retryAfter === undefined ? FIRST_MS * 2 ** tries : retryAfter * 1_000
  return pause <= LONGEST_MS ? pause * (1 + random()) : undefined
}

/** Waits, or throws the signal's reason when it is aborted. */
export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
