import { type SipFinding, t } from '@switchroom/contract'
import type { Sip } from '../../stores/sip/sip.ts'
import { seconds as ofMilliseconds, quoted } from '../../talk/sentence.ts'
import type { Seen } from './leg.ts'

/** A finding with the time of its message, to sort by. */
export type Finding = SipFinding & { at: number }

export const finding = (tone: SipFinding['tone'], text: string, seen: Seen): Finding => ({
  tone,
  text,
  message: seen.id,
  at: seen.at,
})

/** A time in microseconds: `1.3 s`. */
export const seconds = (microseconds: number) => ofMilliseconds(microseconds / 1_000)

export const statusText = ({ status, reason }: Sip) =>
  reason ? `${status} ${quoted(reason).slice(1, -1)}` : String(status)

/** The reasons given in a message besides its status: Reason (RFC 3326) or Warning (RFC 3261, 20.43). */
export const reasonsOf = (sip: Sip): string[] => [
  ...new Set(
    [...sip.all('Reason'), ...sip.all('Warning')].flatMap((header) => {
      const text = /"((?:[^"\\]|\\.){1,400})"/.exec(header)?.[1]
      const cause = /;\s*cause\s*=\s*(\d{1,3})/i.exec(header)?.[1]
      if (text && text.toLowerCase() !== sip.reason.toLowerCase()) return [quoted(text)]
      return cause && /^\s*Q\.850/i.test(header) ? [t('Q.850 cause {cause}', { cause })] : []
    }),
  ),
]

/** The same in short; empty without reasons. */
export const reasonList = (sip: Sip) => reasonsOf(sip).slice(0, 2).join(', ')

/** The same as a sentence, to append to a finding. */
export function reasonText(sip: Sip): string {
  const texts = reasonList(sip)
  return texts ? ` ${t('Reason: {texts}.', { texts })}` : ''
}

type Refusal = { endpoint: string; status: string; reason: string }

/** The meaning of an error status, said of the endpoint that sent it. */
const MEANING: Record<number, (values: Refusal) => string> = {
  400: (values) => t('{endpoint} could not parse the INVITE ({status}).{reason}', values),
  402: (values) => t('{endpoint} requires payment first ({status}).{reason}', values),
  403: (values) =>
    t('{endpoint} does not allow this caller or this number ({status}).{reason}', values),
  404: (values) => t('{endpoint} does not know the called number ({status}).{reason}', values),
  405: (values) => t('{endpoint} takes no calls at this address ({status}).{reason}', values),
  406: (values) =>
    t('{endpoint} cannot answer in a format the caller accepts ({status}).{reason}', values),
  408: (values) =>
    t('{endpoint} got no answer from where it sent the call ({status}).{reason}', values),
  410: (values) =>
    t('{endpoint} reports that this number is no longer in use ({status}).{reason}', values),
  415: (values) =>
    t('{endpoint} does not support the body type of the INVITE ({status}).{reason}', values),
  420: (values) =>
    t(
      '{endpoint} does not support a SIP extension that the caller requires ({status}).{reason}',
      values,
    ),
  421: (values) =>
    t(
      '{endpoint} requires a SIP extension that the caller does not support ({status}).{reason}',
      values,
    ),
  422: (values) => t('{endpoint} requires a longer session interval ({status}).{reason}', values),
  433: (values) => t('{endpoint} rejects anonymous calls ({status}).{reason}', values),
  480: (values) =>
    t(
      'The called user is unavailable at {endpoint}, or not registered ({status}).{reason}',
      values,
    ),
  481: (values) => t('{endpoint} does not know this call ({status}).{reason}', values),
  482: (values) => t('{endpoint} detected a routing loop ({status}).{reason}', values),
  483: (values) =>
    t('The call went through too many hops before {endpoint} ({status}).{reason}', values),
  484: (values) => t('The number is incomplete for {endpoint} ({status}).{reason}', values),
  485: (values) => t('{endpoint} found the number ambiguous ({status}).{reason}', values),
  486: (values) => t('The called user is busy ({status}).{reason}', values),
  491: (values) => t('{endpoint} had a request of its own pending ({status}).{reason}', values),
  493: (values) =>
    t('{endpoint} cannot decrypt the body of the INVITE ({status}).{reason}', values),
  500: (values) => t('{endpoint} had an internal error ({status}).{reason}', values),
  501: (values) => t('{endpoint} does not support this request ({status}).{reason}', values),
  502: (values) => t('{endpoint} got a bad answer from the next hop ({status}).{reason}', values),
  503: (values) =>
    t(
      '{endpoint} cannot take the call now. It is overloaded, in maintenance, or has no route for it ({status}).{reason}',
      values,
    ),
  504: (values) => t('{endpoint} timed out waiting for the next hop ({status}).{reason}', values),
  505: (values) => t('{endpoint} does not support this SIP version ({status}).{reason}', values),
  513: (values) => t('The INVITE is too large for {endpoint} ({status}).{reason}', values),
  600: (values) => t('The called user is busy everywhere ({status}).{reason}', values),
  603: (values) => t('The called user declined the call ({status}).{reason}', values),
  604: (values) =>
    t('{endpoint} reports that the number exists nowhere ({status}).{reason}', values),
  607: (values) => t('{endpoint} rejected the call as spam ({status}).{reason}', values),
  608: (values) => t('{endpoint} rejected the call by policy ({status}).{reason}', values),
}

/** Describes an INVITE's final error response. */
export function refusal(sip: Sip, endpoint: string): string {
  const status = sip.status!
  const values = { endpoint, status: statusText(sip), reason: reasonText(sip) }
  const meaning = MEANING[status]?.(values)
  if (meaning) return meaning
  if (status < 400) {
    const contact = /<([^>\s]{1,200})>/.exec(sip.header('Contact') ?? '')?.[1]
    return contact
      ? t('{endpoint} redirected the call ({status}), to {contact}.', {
          ...values,
          contact: quoted(contact),
        })
      : t('{endpoint} redirected the call ({status}).', values)
  }
  if (status < 500) return t('{endpoint} refused the call ({status}).{reason}', values)
  if (status < 600) return t('{endpoint} failed ({status}).{reason}', values)
  return t('The call is unwanted ({status}, from {endpoint}).{reason}', values)
}
