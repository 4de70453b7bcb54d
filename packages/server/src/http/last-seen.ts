import type { Context } from './context.ts'

/** Time that a request waits for it. SQLite has one writer, which large changes keep for seconds. */
const WAIT_MS = 100

/**
 * Stores the time a caller was last seen, by the sid of its session or API key. Reads do not wait for other people's
 * transactions: after 100 ms the request goes on, and the time is stored later. Until then, further requests do not
 * try. Throws errors of `store` within that time; later errors are logged.
 */
export async function storeLastSeen(
  { memory: { storingLastSeen }, log }: Pick<Context, 'memory' | 'log'>,
  sid: string,
  store: () => Promise<unknown>,
) {
  if (storingLastSeen.has(sid)) return
  storingLastSeen.add(sid)
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const stored = store()
    .catch((err: unknown) => {
      if (!isLate) throw err
      log.warn({ err }, 'cannot store when a caller was last seen')
    })
    .finally(() => storingLastSeen.delete(sid))
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true
      resolve()
    }, WAIT_MS)
  })
  await Promise.race([stored, waited]).finally(() => clearTimeout(timer))
}
