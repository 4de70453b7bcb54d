import { unauthenticated } from './authentication.ts'
import { final, finals, isAnswered, type Seen, statusOf, type Transaction } from './leg.ts'
import { audioOf } from './media.ts'
import { type Finding, finding, quoted, refusal, seconds, statusText, times, why } from './words.ts'

type Name = (party: number) => string

/** What became of the attempt to call, in a leg. Nothing where the capture does not show it. */
export function outcome(transactions: readonly Transaction[], name: Name): Finding[] {
  const invites = transactions.filter((t) => t.method === 'INVITE' && !t.within)
  const first = invites[0]?.requests[0]
  if (!first) return []
  // further on its way the same INVITE has the same Call-ID, and another sender
  const attempts = invites.filter((t) => t.requests[0]!.source === first.source)
  const last = attempts.at(-1)!
  const answer = final(last)
  const who = name(last.requests[0]!.destination)
  if (!answer) return unanswered(last, who)
  const status = answer.sip.status!
  const challenged = unauthenticated(attempts, name)
  if (challenged) return [challenged]
  if (status === 487) return [cancelled(last, answer, name)]
  if (status === 488 || status === 606) return [unacceptable(last, answer, who)]
  if (status >= 300) return [finding('bad', refusal(answer.sip, who), answer)]
  return answered(last, answer, name)
}

function unanswered(t: Transaction, who: string): Finding[] {
  const { requests, answers, cancel } = t
  const [first, last] = [requests[0]!, requests.at(-1)!]
  if (answers.length === 0) {
    if (requests.length === 1)
      return [finding('warn', `The capture has no answer of ${who} to the INVITE.`, first)]
    const sent = `${times(requests.length)} in ${seconds(last.at - first.at)}`
    const text = `${who} never answered the INVITE, which was sent ${sent}: nothing listens there, or a firewall or a wrong route is in the way.`
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
    ? `The capture ends before ${who} said yes or no: the last that it says is ${statusText(answers.at(-1)!.sip)}.`
    : `${who} took the INVITE (100) and never said what became of it.`
  return [finding(rang ? 'info' : 'bad', text, answers.at(-1)!)]
}

function cancelled(t: Transaction, answer: Seen, name: Name): Finding {
  const { requests, cancel } = t
  const first = requests[0]!
  const by = cancel?.requests[0]
  if (!by) return finding('info', 'The call was ended before it was answered (487).', answer)
  const rang = t.answers.some((a) => a.sip.status! >= 180 && a.sip.status! < 200)
  const text = `${name(by.source)} gave up after ${seconds(by.at - first.at)}, ${rang ? 'while it rang' : 'before it rang'} (CANCEL).${why(by.sip)}`
  return finding('info', text, by)
}

function unacceptable(t: Transaction, answer: Seen, who: string): Finding {
  const offered = audioOf(t.requests[0]!.sip.body)?.codecs ?? []
  const wanted = audioOf(answer.sip.body)?.codecs ?? []
  const what =
    offered.length > 0 ? `: ${offered.map((c) => quoted(c).slice(1, -1)).join(', ')}` : ''
  const instead =
    wanted.length > 0
      ? ` It would take ${wanted.map((c) => quoted(c).slice(1, -1)).join(', ')}.`
      : ''
  const text = `${who} takes none of the media that it was offered${what} (${statusText(answer.sip)}).${instead}${why(answer.sip)}`
  return finding('bad', text, answer)
}

function answered(t: Transaction, answer: Seen, name: Name): Finding[] {
  const first = t.requests[0]!
  const who = name(answer.source)
  const found: Finding[] = []
  const cancel = t.cancel?.requests[0]
  if (cancel)
    found.push(
      finding(
        'warn',
        `${name(cancel.source)} gave up (CANCEL) at the moment when ${who} answered: the two crossed, and the call came about although nobody wanted it any more.`,
        answer,
      ),
    )
  if (audioOf(answer.sip.body)?.isDeclined)
    found.push(finding('warn', `${who} answered, but declined the audio.`, answer))
  const yes = finals(t).filter((a) => a.sip.status! < 300)
  const again = yes.at(-1)!
  const lasted = seconds(again.at - answer.at)
  const acked = t.acks[0]
  if (!acked && yes.length > 1) {
    const text = `${who} answered, but the ACK never came: it sent its ${statusText(answer.sip)} ${times(yes.length)} in ${lasted}. The address in the Contact or the Record-Route of the answer is likely one that the caller cannot reach.`
    found.push(finding('bad', text, answer))
  } else if (acked && yes.filter((a) => a.at > acked.at).length > 2) {
    const text = `The ACK does not reach ${who}: it went on repeating its ${statusText(answer.sip)} for ${lasted}.`
    found.push(finding('bad', text, acked))
  } else
    found.push(finding('ok', `${who} answered after ${seconds(answer.at - first.at)}.`, answer))
  return found
}

/** What was asked during the call and not granted. */
export function during(transactions: readonly Transaction[], name: Name): Finding[] {
  return transactions
    .filter((t) => t.within)
    .flatMap((t, i, all) => {
      if (t.method !== 'INVITE' && t.method !== 'UPDATE') return []
      const asked = t.requests[0]!
      const [from, to] = [name(asked.source), name(asked.destination)]
      const what = t.method === 'INVITE' ? 're-INVITE' : t.method
      const answer = final(t)
      if (!answer) {
        if (t.requests.length < 2) return []
        const text = `${to} never answered the ${what} of ${from}, sent ${times(t.requests.length)}.`
        return [finding('bad', text, asked)]
      }
      const status = statusOf(t)!
      if (status < 300 || status === 487) return []
      const isAskedAgain = all.slice(i + 1).some((later) => {
        const again = later.requests[0]!
        return later.method === t.method && again.source === asked.source && isAnswered(later)
      })
      if (isAskedAgain) return []
      if (status === 491) {
        const text = `${from} and ${to} wanted to change the call at the same moment (${statusText(answer.sip)}).`
        return [finding('warn', text, answer)]
      }
      const lost = status === 481 || status === 408
      const then = lost ? 'It knows nothing of the call.' : 'The call stayed as it was.'
      const text = `${from} wanted to change the call (${what}) and ${to} refused: ${statusText(answer.sip)}. ${then}${why(answer.sip)}`
      return [finding(lost ? 'bad' : 'warn', text, answer)]
    })
}

/** Who hung up; undefined where the capture does not show it. */
export function end(transactions: readonly Transaction[], name: Name): Finding[] {
  const bye = transactions.find((t) => t.method === 'BYE')
  if (!bye) return []
  const said = bye.requests[0]!
  const begun = transactions.find((t) => t.method === 'INVITE' && !t.within && isAnswered(t))
  const talked = begun && final(begun)
  const after = talked ? ` after ${seconds(said.at - talked.at)}` : ''
  const found = [finding('info', `${name(said.source)} hung up${after}.${why(said.sip)}`, said)]
  const answer = final(bye)
  if (!answer && bye.requests.length > 1)
    found.push(
      finding(
        'warn',
        `${name(said.destination)} never answered the BYE, sent ${times(bye.requests.length)}.`,
        said,
      ),
    )
  if (answer?.sip.status === 481)
    found.push(
      finding(
        'warn',
        `${name(said.destination)} knew nothing of the call any more when it was hung up (${statusText(answer.sip)}).`,
        answer,
      ),
    )
  return found
}
