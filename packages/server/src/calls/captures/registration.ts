import { unauthenticated } from './authentication.ts'
import { type Finding, finding, reasonText, statusText, times } from './finding-text.ts'
import { final, isChallenged, type Transaction } from './leg.ts'

/** Findings on the last registration. */
export function registration(
  transactions: readonly Transaction[],
  name: (party: number) => string,
): Finding[] {
  const all = transactions.filter((t) => t.method === 'REGISTER')
  const last = all.at(-1)
  if (!last) return []
  const request = last.requests[0]!
  const endpoint = name(request.destination)
  const answer = final(last)
  if (!answer) {
    if (last.requests.length < 2)
      return [
        finding(
          'warn',
          `The capture has no answer from ${endpoint} to the last REGISTER.`,
          request,
        ),
      ]
    const text = `${endpoint} did not answer the last REGISTER, sent ${times(last.requests.length)}.`
    return [finding('bad', text, request)]
  }
  const before = all.slice(0, -1).findLastIndex((t) => !isChallenged(t))
  const challenged = unauthenticated(all.slice(before + 1), name)
  if (challenged) return [challenged]
  const { sip } = answer
  if (sip.status! >= 300)
    return [
      finding(
        'bad',
        `${endpoint} refused to register: ${statusText(sip)}.${reasonText(sip)}`,
        answer,
      ),
    ]
  const expires =
    /;\s*expires\s*=\s*"?(\d{1,9})/i.exec(sip.header('Contact') ?? '')?.[1] ?? sip.header('Expires')
  if (expires === undefined)
    return [finding('ok', `${endpoint} accepted the registration.`, answer)]
  const text =
    Number(expires) > 0
      ? `${endpoint} accepted the registration, for ${Number(expires)} s.`
      : `${endpoint} removed the registration.`
  return [finding('ok', text, answer)]
}
