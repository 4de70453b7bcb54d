import { unreachable } from './ask.ts'

/**
 * Work of several calls that has to end within the limit of one. `end` is for what it waits for itself.
 * Throws `Refused`.
 */
export async function withDeadline<T>(
  limit: { timeout_ms: number },
  work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = AbortSignal.timeout(limit.timeout_ms)
  const late = new Promise<never>((_, reject) =>
    end.addEventListener('abort', () => reject(end.reason)),
  )
  try {
    return await Promise.race([work(end), late])
  } catch (error) {
    throw unreachable(error, limit)
  }
}
