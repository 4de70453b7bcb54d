import { t } from '@switchroom/contract'
import { times } from '../../talk/sentence.ts'
import { unauthenticated } from './authentication.ts'
import { type Finding, finding, reasonList, statusText } from './finding-text.ts'
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
          t('The capture has no answer from {endpoint} to the last REGISTER.', { endpoint }),
          request,
        ),
      ]
    const text = t('{endpoint} did not answer the last REGISTER, sent {times}.', {
      endpoint,
      times: times(last.requests.length),
    })
    return [finding('bad', text, request)]
  }
  const before = all.slice(0, -1).findLastIndex((t) => !isChallenged(t))
  const challenged = unauthenticated(all.slice(before + 1), name)
  if (challenged) return [challenged]
  const { sip } = answer
  if (sip.status! >= 300) {
    const values = { endpoint, status: statusText(sip), reasons: reasonList(sip) }
    const text = values.reasons
      ? t('{endpoint} refused to register: {status}. Reason: {reasons}.', values)
      : t('{endpoint} refused to register: {status}.', values)
    return [finding('bad', text, answer)]
  }
  const expires =
    /;\s*expires\s*=\s*"?(\d{1,9})/i.exec(sip.header('Contact') ?? '')?.[1] ?? sip.header('Expires')
  if (expires === undefined)
    return [finding('ok', t('{endpoint} accepted the registration.', { endpoint }), answer)]
  const text =
    Number(expires) > 0
      ? t('{endpoint} accepted the registration, for {number} s.', {
          endpoint,
          number: Number(expires),
        })
      : t('{endpoint} removed the registration.', { endpoint })
  return [finding('ok', text, answer)]
}
