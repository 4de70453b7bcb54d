import type { SipFinding } from '@switchroom/contract'
import type { Sip } from '../stores/captures/sip.ts'
import type { Seen } from './leg.ts'

/** Before it is known which message comes first. */
export type Finding = SipFinding & { at: number }

export const finding = (tone: SipFinding['tone'], text: string, seen: Seen): Finding => ({
  tone,
  text,
  message: seen.id,
  at: seen.at,
})

const NUMBERS = 'no once twice three four five six seven eight nine ten'.split(' ')
export const times = (n: number) =>
  n <= 2 ? NUMBERS[n]! : n <= 10 ? `${NUMBERS[n]} times` : `${n} times`

export const seconds = (microseconds: number) => {
  const s = Math.max(0, microseconds) / 1_000_000
  if (s >= 60) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
  return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`
}

/** Somebody else's text, fit for a sentence. */
export const quoted = (text: string) => {
  const plain = text.replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()
  return `“${[...plain].slice(0, 160).join('')}”`
}

export const statusText = ({ status, reason }: Sip) =>
  reason ? `${status} ${quoted(reason).slice(1, -1)}` : String(status)

/** What a message says of why, beside its status: Reason (RFC 3326), Warning (RFC 3261, 20.43). */
export function why(sip: Sip): string {
  const texts = [...sip.all('Reason'), ...sip.all('Warning')].flatMap((header) => {
    const text = /"((?:[^"\\]|\\.){1,400})"/.exec(header)?.[1]
    const cause = /;\s*cause\s*=\s*(\d{1,3})/i.exec(header)?.[1]
    if (text && text.toLowerCase() !== sip.reason.toLowerCase()) return [quoted(text)]
    return cause && /^\s*Q\.850/i.test(header) ? [`Q.850 cause ${cause}`] : []
  })
  return texts.length > 0 ? ` It says why: ${[...new Set(texts)].slice(0, 2).join(', ')}.` : ''
}

/** What it means that a call is refused so. `who` has refused. */
const MEANING: Record<number, (who: string) => string> = {
  400: (who) => `${who} could not make sense of the INVITE`,
  402: (who) => `${who} wants to be paid first`,
  403: (who) => `${who} does not allow this call: not this caller, or not to this number`,
  404: (who) => `${who} does not know the number that was called`,
  405: (who) => `${who} takes no calls at this address`,
  406: (who) => `${who} cannot answer in a way that the caller would accept`,
  408: (who) => `${who} waited in vain for an answer of where it sent the call`,
  410: (who) => `${who} says that this number is no longer in use`,
  415: (who) => `${who} does not understand the kind of body that came with the INVITE`,
  420: (who) => `${who} lacks an extension of SIP that the caller requires`,
  421: (who) => `${who} requires an extension of SIP that the caller does not offer`,
  422: (who) => `${who} wants a longer session interval`,
  433: (who) => `${who} takes no anonymous calls`,
  480: (who) => `who is called cannot be reached at ${who}: not registered, or not there`,
  481: (who) => `${who} does not know of this call`,
  482: (who) => `${who} found the call going in a circle`,
  483: (who) => `the call went through too many hops before ${who}`,
  484: (who) => `the number is too short, or incomplete, for ${who}`,
  485: (who) => `${who} knows several who could be meant`,
  486: () => `who is called is busy`,
  491: (who) => `${who} was itself asking for something at that moment`,
  493: (who) => `${who} cannot decipher the body of the INVITE`,
  500: (who) => `${who} failed by its own fault`,
  501: (who) => `${who} cannot do what was asked`,
  502: (who) => `${who} got a bad answer from the next hop`,
  503: (who) =>
    `${who} cannot take the call now: it is overloaded, being looked after, or has no route for it`,
  504: (who) => `${who} waited in vain for the next hop`,
  505: (who) => `${who} speaks another version of SIP`,
  513: (who) => `the INVITE is too large for ${who}`,
  600: () => `who is called is busy everywhere`,
  603: () => `who is called declined the call`,
  604: (who) => `${who} knows that the number is nowhere`,
  607: (who) => `${who} takes the call for spam`,
  608: (who) => `${who} rejected the call by its own rules`,
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A sentence on the final answer to an INVITE that is no yes. */
export function refusal(sip: Sip, who: string): string {
  const status = sip.status!
  const meaning = MEANING[status]?.(who)
  if (meaning) return `${capital(meaning)} (${statusText(sip)}).${why(sip)}`
  const contact = /<([^>\s]{1,200})>/.exec(sip.header('Contact') ?? '')?.[1]
  if (status < 400)
    return `${who} sent the call elsewhere (${statusText(sip)})${contact ? `, to ${quoted(contact)}` : ''}.`
  if (status < 500) return `${who} refused the call (${statusText(sip)}).${why(sip)}`
  if (status < 600) return `${who} failed (${statusText(sip)}).${why(sip)}`
  return `Nobody wants this call (${statusText(sip)}, from ${who}).${why(sip)}`
}
