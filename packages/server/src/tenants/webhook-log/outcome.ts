import type { RequestOutcome } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'
import { sentenceOf } from '../../parts/sentence.ts'

type Failed = Exclude<RequestOutcome, 'accepted' | 'error_status'>

const BY_NAME: [RegExp, Failed][] = [
  [/^Blocked$/, 'blocked'],
  [/^TooLarge$/, 'too_large'],
  [/TimeoutError$/, 'timed_out'],
]
const BY_CODE: [RegExp, Failed][] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'name_not_found'],
  [/TIMEOUT|^ETIMEDOUT$/, 'timed_out'],
  [/CERT|TLS|SSL|SELF_SIGNED|^EPROTO$|^UNABLE_TO_/, 'tls_failed'],
]

/** How a request ended that has no response, and why, in a sentence without what was sent. */
export function failureOf(error: unknown, limit_ms: number): { outcome: Failed; error: string } {
  for (let e = error; e instanceof Error; e = e.cause) {
    const { name } = e
    const code = errorCode(e) ?? ''
    const known =
      BY_NAME.find(([pattern]) => pattern.test(name)) ??
      BY_CODE.find(([pattern]) => pattern.test(code))
    if (known) return { outcome: known[1], error: sentence(error, limit_ms) }
  }
  return { outcome: 'unreachable', error: sentence(error, limit_ms) }
}

const sentence = (error: unknown, limit_ms: number) => sentenceOf(error, limit_ms).slice(0, 400)
