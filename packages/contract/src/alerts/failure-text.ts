import { sipStatusText } from '../calls/sip-status.ts'
import { peersOf, trunkText } from '../calls/trunk-text.ts'
import { plural, t } from '../wire/text.ts'
import { prefixText } from './failure-prefix.ts'
import type { Failure, FailureState, Rerouted } from './failures.ts'
import { REROUTE_CALLS } from './reroute.ts'

export const FAILURE_STATES: Record<FailureState, string> = {
  open: t('Open'),
  returned: t('Returned'),
  watched: t('Watched'),
  muted: t('Muted'),
  resolved: t('Resolved'),
}

/** Hours of the sparkline, the current one included. */
export const FAILURE_HOURS = 24

/** Statuses of calls that ended as calls do: no answer, busy, canceled, declined. */
const NORMAL = new Set([480, 486, 487, 600, 603])

/** True if a call that was not answered with this status failed: any reason other than people not answering. */
export const isFailureStatus = (status: number) =>
  status >= 300 && status <= 699 && !NORMAL.has(status)

type Cause = Pick<Failure, 'direction' | 'trunk' | 'sip_status' | 'prefix' | 'reason'>

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const destination = ({ prefix }: Cause) =>
  prefix === null ? t('any number') : prefix === '' ? t('SIP addresses') : prefixText(prefix)

/** The reason, unless it says what the status says. */
function because({ reason, sip_status }: Cause) {
  if (!reason) return ''
  const isSaid = sipStatusText(sip_status).toLowerCase().includes(reason.toLowerCase())
  return isSaid ? '' : ` (${reason})`
}

/** A failure in a sentence, without its end: `Northwind Voice answers 503 Service Unavailable to calls to +49 30`. */
export const failureText = (cause: Cause): string =>
  (cause.direction === 'inbound' ? inboundText(cause) : outboundText(cause)) + because(cause)

function inboundText(cause: Cause): string {
  const { trunk } = cause
  const [to, status] = [destination(cause), sipStatusText(cause.sip_status)]
  return trunk === null
    ? t('Calls from an unknown carrier to {to} fail with {status}', { to, status })
    : t('Calls from {peer} to {to} fail with {status}', { peer: trunkText(trunk), to, status })
}

function outboundText(cause: Cause): string {
  const { trunk, sip_status } = cause
  const [to, status] = [destination(cause), sipStatusText(sip_status)]
  const peers = peersOf(trunk)
  const carrier = trunk === null ? t('An unknown carrier') : capital(trunk)
  if (sip_status === 408)
    return peers
      ? t('{peers} do not respond to calls to {to}', { peers, to })
      : t('{carrier} does not respond to calls to {to}', { carrier, to })
  return peers
    ? t('{peers} answer {status} to calls to {to}', { peers, status, to })
    : t('{carrier} answers {status} to calls to {to}', { carrier, status, to })
}

/** Says how calls fared after they were routed to another carrier. */
export function reroutedText(cause: Cause, { to, ...done }: Rerouted): string {
  const { calls, answered, refused, still, worked } = done
  const counts = { carrier: to, to: destination(cause), answered, refused }
  if (worked === null)
    return calls === 0
      ? t(
          'No call to {to} has ended on {carrier} since the change. This issue closes by itself when calls show that it worked.',
          counts,
        )
      : plural(
          calls,
          'Since the change {carrier} has answered {answered} of 1 call to {to}. This issue closes by itself when calls show that it worked.|Since the change {carrier} has answered {answered} of {n} calls to {to}. This issue closes by itself when calls show that it worked.',
          counts,
        )
  if (worked)
    return plural(
      calls,
      'It worked: {carrier} answered {answered} of 1 call to {to}.|It worked: {carrier} answered {answered} of {n} calls to {to}.',
      counts,
    )
  return still >= REROUTE_CALLS
    ? plural(
        still,
        'It did not work: since the change 1 call to {to} has failed as before.|It did not work: since the change {n} calls to {to} have failed as before.',
        counts,
      )
    : plural(
        calls,
        'It did not work: {carrier} refused {refused} of 1 call to {to} too.|It did not work: {carrier} refused {refused} of {n} calls to {to} too.',
        counts,
      )
}

/** The place where a failure is fixed. */
export type MendPlace = 'carrier' | 'simulator' | 'numbers' | 'clients' | 'application' | 'call'
export type Mend = { text: string; place: MendPlace }

const LADDER: Mend = {
  text: t('Open a recent call and read its SIP messages: the refusal often names its reason.'),
  place: 'call',
}
const CODECS: Mend = {
  text: t(
    'The two sides share no codec or encryption. Compare the offer and the answer in a recent call.',
  ),
  place: 'call',
}

const OUTBOUND: Record<number, Mend> = {
  401: {
    text: t(
      'The carrier rejects the credentials. Check the username, password and realm it expects.',
    ),
    place: 'carrier',
  },
  402: {
    text: t('The carrier requires payment first. Check your balance with it.'),
    place: 'carrier',
  },
  403: {
    text: t(
      'Check that the carrier allow-lists your SBC’s addresses and the caller IDs you send, and that the credentials are right.',
    ),
    place: 'carrier',
  },
  404: {
    text: t(
      'The carrier does not know these numbers. Check the number format it expects: leading plus, tech prefix.',
    ),
    place: 'carrier',
  },
  408: {
    text: t('Check the gateways’ addresses and ports, and probe them.'),
    place: 'carrier',
  },
  488: CODECS,
  500: {
    text: t('The carrier has a fault of its own. Try another carrier for this prefix.'),
    place: 'simulator',
  },
  503: {
    text: t('The carrier is overloaded or has no route. Route this prefix over another carrier.'),
    place: 'simulator',
  },
}
/** Statuses that are fixed as another is. */
const SAME: Record<number, number> = {
  407: 401,
  410: 404,
  484: 404,
  485: 404,
  604: 404,
  504: 408,
  415: 488,
  606: 488,
  501: 500,
  502: 503,
  580: 488,
}

const INBOUND: Record<number, Mend> = {
  404: {
    text: t('Add the called numbers, and assign each to an application.'),
    place: 'numbers',
  },
  403: {
    text: t('Check that the carrier’s gateways list the addresses these calls come from.'),
    place: 'carrier',
  },
  488: CODECS,
  500: {
    text: t('Check the application’s webhook: it did not answer, or not with valid verbs.'),
    place: 'application',
  },
  503: {
    text: t(
      'The platform refuses these calls: an inactive account, a call limit, or no feature server. Open a recent call for its reason.',
    ),
    place: 'call',
  },
}

/** The most likely fix. */
export function mendOf(cause: Cause): Mend {
  const status = SAME[cause.sip_status] ?? cause.sip_status
  if (cause.direction === 'inbound') return INBOUND[status] ?? LADDER
  const isCarrier = cause.trunk !== null && !peersOf(cause.trunk)
  if (isCarrier) return OUTBOUND[status] ?? LADDER
  if (cause.trunk === 'user' && (status === 404 || status === 408))
    return { text: t('Check that the called SIP clients are registered.'), place: 'clients' }
  return status === 488 ? CODECS : LADDER
}
