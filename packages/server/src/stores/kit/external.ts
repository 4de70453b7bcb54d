import { t } from '@switchroom/contract'
import { StoreAnswerTooLarge, StoreTimeout, StoreUnavailable } from './unavailable.ts'

/** The time limit for the operator's own servers, since a user is waiting. */
export const ANSWER_SECONDS = 5

/** How errors name a server, as in `The traces (Jaeger)`, and its time limit. */
export type External = { name: string; seconds?: number }

/** Runs one or more requests within a time limit. Throws `StoreUnavailable`. */
export async function withTimeout<T>(
  { name, seconds = ANSWER_SECONDS }: External,
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(seconds * 1_000)
  try {
    return await question(signal)
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause
    if (signal.aborted)
      throw new StoreTimeout(
        t('{name} did not answer within {seconds} seconds', { name, seconds }),
        {
          cause,
        },
      )
    throw new StoreUnavailable(t('{name} cannot be reached', { name }), { cause })
  }
}

/** Reads the body. Throws `StoreAnswerTooLarge` with this message if it is longer. */
export async function bodyWithin(bytes: number, answer: Response, tooLong: string) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > bytes) throw new StoreAnswerTooLarge(tooLong)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Checks that a server responds, with any status below 500. Throws `StoreUnavailable`. */
export const reachable = (external: External, url: string): Promise<void> =>
  withTimeout(external, async (signal) => {
    const answer = await fetch(url, { redirect: 'manual', signal })
    const { name } = external
    const tooLong = t('{name} returned too large a response', { name })
    await bodyWithin(1_000_000, answer, tooLong)
    const { status } = answer
    if (status >= 500) throw new StoreUnavailable(t('{name} answered {status}', { name, status }))
  })
