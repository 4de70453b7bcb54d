import { unauthenticated } from './authentication.ts'
import {
  type Finding,
  finding,
  quoted,
  reasonText,
  refusal,
  seconds,
  statusText,
  times,
} from './finding-text.ts'
import { final, finals, isAnswered, type Seen, statusOf, type Transaction } from './leg.ts'
import { audioOf } from './media.ts'

type Name = (party: number) => string

/** Findings on how a leg's call attempt ended. Empty when the capture does not show it. */
export function outcome(transactions: readonly Transaction[], name: Name): Finding[] {
  const invites = transactions.filter((t) => t.method === 'INVITE' && !t.within)
  const first = invites[0]?.requests[0]
  if (!first) return []
  // later hops have the same Call-ID and another sender
  const attempts = invites.filter((t) => t.requests[0]!.source === first.source)
  const last = attempts.at(-1)!
  const answer = final(last)
  const endpoint = name(last.requests[0]!.destination)
  if (!answer) return unansweredInvite(last, endpoint)
  const status = answer.sip.status!
  const challenged = unauthenticated(attempts, name)
  if (challenged) return [challenged]
  if (status === 487) return [cancelled(last, answer, name)]
  if (status === 488 || status === 606) return [unacceptableAnswer(last, answer, endpoint)]
  if (status >= 300) return [finding('bad', refusal(answer.sip, endpoint), answer)]
  return answeredInvite(last, answer, name)
}

function unansweredInvite(t: Transaction, endpoint: string): Finding[] {
  const { requests, answers, cancel } = t
  const [first, last] = [requests[0]!, requests.at(-1)!]
  if (answers.length === 0) {
    if (requests.length === 1)
      return [finding('warn', `The capture has no answer from ${endpoint} to the INVITE.`, first)]
    const sent = `${times(requests.length)} in ${seconds(last.at - first.at)}`
    const text = `${endpoint} never answered the INVITE, which was sent ${sent}. It may be down, or a firewall or wrong route may block it.`
    return [finding('bad', text, first)]
  }
  if (cancel)
    return [
      finding(
        'info',
        `The caller gave up after ${seconds(cancel.requests[0]!.at - first.at)}.`,
        cancel.requests[0]!,
      ),
    ]
  const rang = answers.find((a) => a.sip.status! > 100)
  const text = rang
    ? `The capture ends before ${endpoint} sent a final response. Its last response is ${statusText(answers.at(-1)!.sip)}.`
    : `${endpoint} answered 100 to the INVITE and nothing more.`
  return [finding(rang ? 'info' : 'bad', text, answers.at(-1)!)]
}

function cancelled(t: Transaction, answer: Seen, name: Name): Finding {
  const { requests, cancel } = t
  const first = requests[0]!
  const by = cancel?.requests[0]
  if (!by) return finding('info', 'The call ended before it was answered (487).', answer)
  const rang = t.answers.some((a) => a.sip.status! >= 180 && a.sip.status! < 200)
  const text = `${name(by.source)} gave up after ${seconds(by.at - first.at)}, ${rang ? 'while it rang' : 'before it rang'} (CANCEL).${reasonText(by.sip)}`
  return finding('info', text, by)
}

function unacceptableAnswer(t: Transaction, answer: Seen, endpoint: string): Finding {
  const offered = audioOf(t.requests[0]!.sip.body)?.codecs ?? []
  const wanted = audioOf(answer.sip.body)?.codecs ?? []
  const what =
    offered.length > 0 ? `: ${offered.map((c) => quoted(c).slice(1, -1)).join(', ')}` : ''
  const instead =
    wanted.length > 0
      ? ` It would accept ${wanted.map((c) => quoted(c).slice(1, -1)).join(', ')}.`
      : ''
  const text = `${endpoint} accepts none of the offered media${what} (${statusText(answer.sip)}).${instead}${reasonText(answer.sip)}`
  return finding('bad', text, answer)
}

function answeredInvite(t: Transaction, answer: Seen, name: Name): Finding[] {
  const first = t.requests[0]!
  const endpoint = name(answer.source)
  const found: Finding[] = []
  const cancel = t.cancel?.requests[0]
  if (cancel)
    found.push(
      finding(
        'warn',
        `${name(cancel.source)} gave up (CANCEL) just as ${endpoint} answered. The two crossed, so the call was set up although the caller had given up.`,
        answer,
      ),
    )
  if (audioOf(answer.sip.body)?.isDeclined)
    found.push(finding('warn', `${endpoint} answered, but declined the audio.`, answer))
  const yes = finals(t).filter((a) => a.sip.status! < 300)
  const again = yes.at(-1)!
  const lasted = seconds(again.at - answer.at)
  const acked = t.acks[0]
  if (!acked && yes.length > 1) {
    const text = `${endpoint} answered, but no ACK arrived. It sent its ${statusText(answer.sip)} ${times(yes.length)} in ${lasted}. The caller probably cannot reach the address in its Contact or Record-Route header.`
    found.push(finding('bad', text, answer))
  } else if (acked && yes.filter((a) => a.at > acked.at).length > 2) {
    const text = `The ACK did not reach ${endpoint}. It kept retransmitting its ${statusText(answer.sip)} for ${lasted}.`
    found.push(finding('bad', text, acked))
  } else
    found.push(
      finding('ok', `${endpoint} answered after ${seconds(answer.at - first.at)}.`, answer),
    )
  return found
}

/** Findings on requests that were refused during the call. */
export function during(transactions: readonly Transaction[], name: Name): Finding[] {
  return transactions
    .filter((t) => t.within)
    .flatMap((t, i, all) => {
      if (t.method !== 'INVITE' && t.method !== 'UPDATE') return []
      const request = t.requests[0]!
      const [from, to] = [name(request.source), name(request.destination)]
      const what = t.method === 'INVITE' ? 're-INVITE' : t.method
      const answer = final(t)
      if (!answer) {
        if (t.requests.length < 2) return []
        const text = `${to} never answered the ${what} from ${from}, sent ${times(t.requests.length)}.`
        return [finding('bad', text, request)]
      }
      const status = statusOf(t)!
      if (status < 300 || status === 487) return []
      const isAskedAgain = all.slice(i + 1).some((later) => {
        const again = later.requests[0]!
        return later.method === t.method && again.source === request.source && isAnswered(later)
      })
      if (isAskedAgain) return []
      if (status === 491) {
        const text = `${from} and ${to} tried to change the call at the same time (${statusText(answer.sip)}).`
        return [finding('warn', text, answer)]
      }
      const lost = status === 481 || status === 408
      const then = lost ? 'It no longer knows the call.' : 'The call continued unchanged.'
      const text = `${from} tried to change the call (${what}) and ${to} refused: ${statusText(answer.sip)}. ${then}${reasonText(answer.sip)}`
      return [finding(lost ? 'bad' : 'warn', text, answer)]
    })
}

/** Who hung up; undefined when the capture does not show it. */
export function end(transactions: readonly Transaction[], name: Name): Finding[] {
  const bye = transactions.find((t) => t.method === 'BYE')
  if (!bye) return []
  const byeRequest = bye.requests[0]!
  const begun = transactions.find((t) => t.method === 'INVITE' && !t.within && isAnswered(t))
  const talked = begun && final(begun)
  const after = talked ? ` after ${seconds(byeRequest.at - talked.at)}` : ''
  const found = [
    finding(
      'info',
      `${name(byeRequest.source)} hung up${after}.${reasonText(byeRequest.sip)}`,
      byeRequest,
    ),
  ]
  const answer = final(bye)
  if (!answer && bye.requests.length > 1)
    found.push(
      finding(
        'warn',
        `${name(byeRequest.destination)} never answered the BYE, sent ${times(bye.requests.length)}.`,
        byeRequest,
      ),
    )
  if (answer?.sip.status === 481)
    found.push(
      finding(
        'warn',
        `${name(byeRequest.destination)} no longer knew the call when it was hung up (${statusText(answer.sip)}).`,
        answer,
      ),
    )
  return found
}
