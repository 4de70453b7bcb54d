import { t } from '../wire/text.ts'
import type { Call } from './calls.ts'
import type { SipLadder } from './captures.ts'

export type Party = 'caller' | 'called' | 'platform' | 'application'

/** What the trace of a call tells of who hung up. */
export type TraceEnding = { hung_up_by: 'caller' | 'application' | null }

/** The parties of a call, as they are named everywhere. */
export const PARTIES: Record<Party, string> = {
  caller: t('Caller'),
  called: t('Called party'),
  platform: t('Platform'),
  application: t('Application'),
}

/** What a record has as its reason where somebody hung up. */
export function recordedSide({
  termination_reason,
}: Pick<Call, 'termination_reason'>): 'caller' | 'called' | undefined {
  if (/^caller hung ?up$/i.test(termination_reason ?? '')) return 'caller'
  return /^called party hung ?up$/i.test(termination_reason ?? '') ? 'called' : undefined
}

/** The sides of a call that the platform speaks for: of an inbound call the called one, of an outbound one the caller's. */
const isOurs = ({ direction }: Pick<Call, 'direction'>, party: Party) =>
  party === 'platform' || party === (direction === 'outbound' ? 'caller' : 'called')

/**
 * Who hung up an answered call, by its SIP, else its record. The trace tells whether it was the application, where those see
 * the platform only. Undefined where nothing tells.
 */
export function hungUpBy(
  call: Pick<Call, 'answered' | 'direction' | 'termination_reason'>,
  {
    seen,
    trace,
  }: {
    seen?: Pick<SipLadder, 'ending'> | undefined
    trace?: TraceEnding | undefined
  },
): Party | undefined {
  if (!call.answered) return undefined
  const bySip = seen?.ending?.how === 'hangup' ? seen.ending.by : null
  const party = bySip ?? recordedSide(call)
  const byTrace = trace?.hung_up_by ?? undefined
  if (byTrace === 'application' && (!party || isOurs(call, party))) return byTrace
  // a trace of an outbound call does not tell whom it means by the caller
  return party ?? (call.direction === 'inbound' ? byTrace : undefined)
}
