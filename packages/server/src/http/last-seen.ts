import type { Context } from './context.ts'

/** How long a request waits for it. SQLite has one writer, which large changes keep for seconds. */
const WAIT_MS = 100

/**
 * Stores that a caller was seen. Reads do not wait for other people's transactions, so that it may be stored after its
 * request; until then, further requests do not try.
 */
export async function noteSeen(
  { memory: { beingSeen }, log }: Pick<Context, 'memory' | 'log'>,
  sid: string,
  store: () => Promise<unknown>,
) {
  if (beingSeen.has(sid)) return
  beingSeen.add(sid)
  let timer: NodeJS.Timeout | undefined
  let late = false
  const stored = store()
    .catch((err: unknown) => {
      if (!late) throw err
      log.warn({ err }, 'it was not stored when a caller was last seen')
    })
    .finally(() => beingSeen.delete(sid))
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      late = true
      resolve()
    }, WAIT_MS)
  })
  await Promise.race([stored, waited]).finally(() => clearTimeout(timer))
}
