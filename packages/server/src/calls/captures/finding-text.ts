import type { SipFinding } from '@switchroom/contract'
import type { Sip } from '../../stores/captures/sip.ts'
import type { Seen } from './leg.ts'

/** A finding with the time of its message, to sort by. */
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

/** Quotes text from a message safely within a sentence. */
export const quoted = (text: string) => {
  const plain = text.replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()
  return `“${[...plain].slice(0, 160).join('')}”`
}

export const statusText = ({ status, reason }: Sip) =>
  reason ? `${status} ${quoted(reason).slice(1, -1)}` : String(status)

/** The reasons given in a message besides its status: Reason (RFC 3326) or Warning (RFC 3261, 20.43). */
export const reasonsOf = (sip: Sip): string[] => [
  ...new Set(
    [...sip.all('Reason'), ...sip.all('Warning')].flatMap((header) => {
      const text = /"((?:[^"\\]|\\.){1,400})"/.exec(header)?.[1]
      const cause = /;\s*cause\s*=\s*(\d{1,3})/i.exec(header)?.[1]
      if (text && text.toLowerCase() !== sip.reason.toLowerCase()) return [quoted(text)]
      return cause && /^\s*Q\.850/i.test(header) ? [`Q.850 cause ${cause}`] : []
    }),
  ),
]

/** The same as a sentence, to append to a finding. */
export function reasonText(sip: Sip): string {
  const texts = reasonsOf(sip)
  return texts.length > 0 ? ` Reason: ${texts.slice(0, 2).join(', ')}.` : ''
}

/** The meaning of an error status, said of the endpoint that sent it. */
const MEANING: Record<number, (endpoint: string) => string> = {
  400: (endpoint) => `${endpoint} could not parse the INVITE`,
  402: (endpoint) => `${endpoint} requires payment first`,
  403: (endpoint) => `${endpoint} does not allow this caller or this number`,
  404: (endpoint) => `${endpoint} does not know the called number`,
  405: (endpoint) => `${endpoint} takes no calls at this address`,
  406: (endpoint) => `${endpoint} cannot answer in a format the caller accepts`,
  408: (endpoint) => `${endpoint} got no answer from where it sent the call`,
  410: (endpoint) => `${endpoint} reports that this number is no longer in use`,
  415: (endpoint) => `${endpoint} does not support the body type of the INVITE`,
  420: (endpoint) => `${endpoint} does not support a SIP extension that the caller requires`,
  421: (endpoint) => `${endpoint} requires a SIP extension that the caller does not support`,
  422: (endpoint) => `${endpoint} requires a longer session interval`,
  433: (endpoint) => `${endpoint} rejects anonymous calls`,
  480: (endpoint) => `the called user is unavailable at ${endpoint}, or not registered`,
  481: (endpoint) => `${endpoint} does not know this call`,
  482: (endpoint) => `${endpoint} detected a routing loop`,
  483: (endpoint) => `the call went through too many hops before ${endpoint}`,
  484: (endpoint) => `the number is incomplete for ${endpoint}`,
  485: (endpoint) => `${endpoint} found the number ambiguous`,
  486: () => `the called user is busy`,
  491: (endpoint) => `${endpoint} had a request of its own pending`,
  493: (endpoint) => `${endpoint} cannot decrypt the body of the INVITE`,
  500: (endpoint) => `${endpoint} had an internal error`,
  501: (endpoint) => `${endpoint} does not support this request`,
  502: (endpoint) => `${endpoint} got a bad answer from the next hop`,
  503: (endpoint) =>
    `${endpoint} cannot take the call now. It is overloaded, in maintenance, or has no route for it`,
  504: (endpoint) => `${endpoint} timed out waiting for the next hop`,
  505: (endpoint) => `${endpoint} does not support this SIP version`,
  513: (endpoint) => `the INVITE is too large for ${endpoint}`,
  600: () => `the called user is busy everywhere`,
  603: () => `the called user declined the call`,
  604: (endpoint) => `${endpoint} reports that the number exists nowhere`,
  607: (endpoint) => `${endpoint} rejected the call as spam`,
  608: (endpoint) => `${endpoint} rejected the call by policy`,
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Describes an INVITE's final error response. */
export function refusal(sip: Sip, endpoint: string): string {
  const status = sip.status!
  const meaning = MEANING[status]?.(endpoint)
  if (meaning) return `${capital(meaning)} (${statusText(sip)}).${reasonText(sip)}`
  const contact = /<([^>\s]{1,200})>/.exec(sip.header('Contact') ?? '')?.[1]
  if (status < 400)
    return `${endpoint} redirected the call (${statusText(sip)})${contact ? `, to ${quoted(contact)}` : ''}.`
  if (status < 500) return `${endpoint} refused the call (${statusText(sip)}).${reasonText(sip)}`
  if (status < 600) return `${endpoint} failed (${statusText(sip)}).${reasonText(sip)}`
  return `The call is unwanted (${statusText(sip)}, from ${endpoint}).${reasonText(sip)}`
}
