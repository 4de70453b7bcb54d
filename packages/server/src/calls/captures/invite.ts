import { t } from '@switchroom/contract'
import type { Sip } from '../../stores/sip/sip.ts'
import { quoted, times } from '../../talk/sentence.ts'
import { unauthenticated } from './authentication.ts'
import {
  type Finding,
  finding,
  reasonList,
  reasonText,
  refusal,
  seconds,
  statusText,
} from './finding-text.ts'
import { final, finals, isAnswered, type Seen, statusOf, type Transaction } from './leg.ts'
import { audioOf } from './media.ts'

type Name = (party: number) => string

/** Findings on how a leg's call attempt ended. Empty when the capture does not show it. */
export function outcome(transactions: readonly Transaction[], name: Name): Finding[] {
  const invites = transactions.filter(
    (transaction) => transaction.method === 'INVITE' && !transaction.within,
  )
  const first = invites[0]?.requests[0]
  if (!first) return []
  // later hops have the same Call-ID and another sender
  const attempts = invites.filter((transaction) => transaction.requests[0]!.source === first.source)
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

function unansweredInvite(transaction: Transaction, endpoint: string): Finding[] {
  const { requests, answers, cancel } = transaction
  const [first, last] = [requests[0]!, requests.at(-1)!]
  if (answers.length === 0) {
    if (requests.length === 1)
      return [
        finding(
          'warn',
          t('The capture has no answer from {endpoint} to the INVITE.', { endpoint }),
          first,
        ),
      ]
    const text = t(
      '{endpoint} never answered the INVITE, which was sent {times} in {seconds}. It may be down, or a firewall or wrong route may block it.',
      { endpoint, times: times(requests.length), seconds: seconds(last.at - first.at) },
    )
    return [finding('bad', text, first)]
  }
  if (cancel)
    return [
      finding(
        'info',
        t('The caller gave up after {seconds}.', {
          seconds: seconds(cancel.requests[0]!.at - first.at),
        }),
        cancel.requests[0]!,
      ),
    ]
  const rang = answers.find((a) => a.sip.status! > 100)
  const text = rang
    ? t(
        'The capture ends before {endpoint} sent a final response. Its last response is {status}.',
        { endpoint, status: statusText(answers.at(-1)!.sip) },
      )
    : t('{endpoint} answered 100 to the INVITE and nothing more.', { endpoint })
  return [finding(rang ? 'info' : 'bad', text, answers.at(-1)!)]
}

function cancelled(transaction: Transaction, answer: Seen, name: Name): Finding {
  const { requests, cancel } = transaction
  const first = requests[0]!
  const by = cancel?.requests[0]
  if (!by) return finding('info', t('The call ended before it was answered (487).'), answer)
  const rang = transaction.answers.some((a) => a.sip.status! >= 180 && a.sip.status! < 200)
  const values = {
    name: name(by.source),
    seconds: seconds(by.at - first.at),
    reason: reasonText(by.sip),
  }
  const text = rang
    ? t('{name} gave up after {seconds}, while it rang (CANCEL).{reason}', values)
    : t('{name} gave up after {seconds}, before it rang (CANCEL).{reason}', values)
  return finding('info', text, by)
}

function unacceptableAnswer(transaction: Transaction, answer: Seen, endpoint: string): Finding {
  const codecs = (sip: Sip) =>
    (audioOf(sip.body)?.codecs ?? []).map((codec) => quoted(codec).slice(1, -1)).join(', ')
  const offered = codecs(transaction.requests[0]!.sip)
  const values = { endpoint, status: statusText(answer.sip), rest: instead(answer.sip, codecs) }
  const text = offered
    ? t('{endpoint} accepts none of the offered media: {offered} ({status}).{rest}', {
        ...values,
        offered,
      })
    : t('{endpoint} accepts none of the offered media ({status}).{rest}', values)
  return finding('bad', text, answer)
}

/** What it would accept, and its reasons, to append to the finding. */
function instead(sip: Sip, codecs: (sip: Sip) => string): string {
  const wanted = codecs(sip)
  if (!wanted) return reasonText(sip)
  const reasons = reasonList(sip)
  return reasons
    ? ` ${t('It would accept {wanted}. Reason: {reasons}.', { wanted, reasons })}`
    : ` ${t('It would accept {wanted}.', { wanted })}`
}

function answeredInvite(transaction: Transaction, answer: Seen, name: Name): Finding[] {
  const first = transaction.requests[0]!
  const endpoint = name(answer.source)
  const found: Finding[] = []
  const cancel = transaction.cancel?.requests[0]
  if (cancel)
    found.push(
      finding(
        'warn',
        t(
          '{name} gave up (CANCEL) just as {endpoint} answered. The two crossed, so the call was set up although the caller had given up.',
          { name: name(cancel.source), endpoint },
        ),
        answer,
      ),
    )
  if (audioOf(answer.sip.body)?.isDeclined)
    found.push(
      finding('warn', t('{endpoint} answered, but declined the audio.', { endpoint }), answer),
    )
  const yes = finals(transaction).filter((a) => a.sip.status! < 300)
  const again = yes.at(-1)!
  const lasted = seconds(again.at - answer.at)
  const acked = transaction.acks[0]
  if (!acked && yes.length > 1) {
    const values = { endpoint, status: statusText(answer.sip), times: times(yes.length), lasted }
    // values side by side cannot be told apart by who translates the text
    const text =
      values.status === '200 OK'
        ? t(
            '{endpoint} answered, but no ACK arrived. It sent its 200 OK {times} in {lasted}. The caller probably cannot reach the address in its Contact or Record-Route header.',
            values,
          )
        : t(
            '{endpoint} answered, but no ACK arrived. It sent its {status} {times} in {lasted}. The caller probably cannot reach the address in its Contact or Record-Route header.',
            values,
          )
    found.push(finding('bad', text, answer))
  } else if (acked && yes.filter((a) => a.at > acked.at).length > 2) {
    const text = t(
      'The ACK did not reach {endpoint}. It kept retransmitting its {status} for {lasted}.',
      { endpoint, status: statusText(answer.sip), lasted },
    )
    found.push(finding('bad', text, acked))
  } else
    found.push(
      finding(
        'ok',
        t('{endpoint} answered after {seconds}.', {
          endpoint,
          seconds: seconds(answer.at - first.at),
        }),
        answer,
      ),
    )
  return found
}

/** Findings on requests that were refused during the call. */
export function during(transactions: readonly Transaction[], name: Name): Finding[] {
  return transactions
    .filter((transaction) => transaction.within)
    .flatMap((transaction, i, all) => {
      if (transaction.method !== 'INVITE' && transaction.method !== 'UPDATE') return []
      const request = transaction.requests[0]!
      const [from, to] = [name(request.source), name(request.destination)]
      const what = transaction.method === 'INVITE' ? 're-INVITE' : transaction.method
      const answer = final(transaction)
      if (!answer) {
        if (transaction.requests.length < 2) return []
        const text = t('{to} never answered the {what} from {from}, sent {times}.', {
          to,
          what,
          from,
          times: times(transaction.requests.length),
        })
        return [finding('bad', text, request)]
      }
      const status = statusOf(transaction)!
      if (status < 300 || status === 487) return []
      const isAskedAgain = all.slice(i + 1).some((later) => {
        const again = later.requests[0]!
        return (
          later.method === transaction.method &&
          again.source === request.source &&
          isAnswered(later)
        )
      })
      if (isAskedAgain) return []
      if (status === 491) {
        const text = t('{from} and {to} tried to change the call at the same time ({status}).', {
          from,
          to,
          status: statusText(answer.sip),
        })
        return [finding('warn', text, answer)]
      }
      const lost = status === 481 || status === 408
      const values = {
        from,
        what,
        to,
        status: statusText(answer.sip),
        reason: reasonText(answer.sip),
      }
      const text = lost
        ? t(
            '{from} tried to change the call ({what}) and {to} refused: {status}. It no longer knows the call.{reason}',
            values,
          )
        : t(
            '{from} tried to change the call ({what}) and {to} refused: {status}. The call continued unchanged.{reason}',
            values,
          )
      return [finding(lost ? 'bad' : 'warn', text, answer)]
    })
}

/** Who hung up; undefined when the capture does not show it. */
export function end(transactions: readonly Transaction[], name: Name): Finding[] {
  const bye = transactions.find((transaction) => transaction.method === 'BYE')
  if (!bye) return []
  const byeRequest = bye.requests[0]!
  const begun = transactions.find(
    (transaction) =>
      transaction.method === 'INVITE' && !transaction.within && isAnswered(transaction),
  )
  const talked = begun && final(begun)
  const found = [finding('info', hangup(byeRequest, talked, name), byeRequest)]
  const answer = final(bye)
  if (!answer && bye.requests.length > 1)
    found.push(
      finding(
        'warn',
        t('{name} never answered the BYE, sent {times}.', {
          name: name(byeRequest.destination),
          times: times(bye.requests.length),
        }),
        byeRequest,
      ),
    )
  if (answer?.sip.status === 481)
    found.push(
      finding(
        'warn',
        t('{name} no longer knew the call when it was hung up ({status}).', {
          name: name(byeRequest.destination),
          status: statusText(answer.sip),
        }),
        answer,
      ),
    )
  return found
}

function hangup({ source, sip, at }: Seen, talked: Seen | undefined, name: Name): string {
  const values = { name: name(source), reason: reasonText(sip), reasons: reasonList(sip) }
  if (!talked) return t('{name} hung up.{reason}', values)
  const after = { ...values, seconds: seconds(at - talked.at) }
  return values.reasons
    ? t('{name} hung up after {seconds}. Reason: {reasons}.', after)
    : t('{name} hung up after {seconds}.', after)
}
