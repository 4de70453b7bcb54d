import {
  type Call,
  type Conversation,
  decimalText,
  durationText,
  recordedSide,
  type SipLadder,
  t,
} from '@switchroom/contract'
import { mayBeLate } from './late-trace'

/** Seconds of difference that are ignored: rounding, or a recording or status that starts late. */
const NOTICED_S = 5
/** A recording that lacks less than this share of its call may have begun late or paused. */
const SHORT = 0.8

type Traced = Pick<Conversation, 'answered' | 'ended' | 'recording' | 'hung_up_by' | 'cut'>
type Seen = Pick<SipLadder, 'ending'>
type Side = 'caller' | 'called'

/**
 * The side that hung up, by the capture. The platform is the called party of an inbound call and the caller of an
 * outbound one.
 */
function captured({ direction }: Call, seen: Seen | undefined): Side | undefined {
  if (seen?.ending?.how !== 'hangup' || !seen.ending.by) return undefined
  if (seen.ending.by !== 'platform') return seen.ending.by
  if (direction === null) return undefined
  return direction === 'inbound' ? 'called' : 'caller'
}

/** A trace of an outbound call does not tell whom it means by the caller. */
const traced = ({ direction }: Call, trace: Traced | undefined): Side | undefined =>
  direction === 'inbound' && trace?.hung_up_by
    ? trace.hung_up_by === 'caller'
      ? 'caller'
      : 'called'
    : undefined

const TRACE: Record<Side, string> = {
  caller: t('The call record says that the called party hung up, the trace that the caller did.'),
  called: t('The call record says that the caller hung up, the trace that the application did.'),
}
const CAPTURE: Record<Side, string> = {
  caller: t(
    'The call record says that the called party hung up, the SIP capture that the caller’s side did.',
  ),
  called: t(
    'The call record says that the caller hung up, the SIP capture that the called party did.',
  ),
}

/** Contradictions between the sources of a call, as sentences. `recorded`: length of the recording in seconds. */
export function contradictionsOf(
  call: Call,
  {
    seen,
    trace,
    recorded,
  }: { seen: Seen | undefined; trace: Traced | undefined; recorded: number | undefined },
): string[] {
  if (!call.answered) return []
  const side = recordedSide(call)
  const [byTrace, byCapture] = [traced(call, trace), captured(call, seen)]
  const differs = (other: Side | undefined): other is Side => !!side && !!other && other !== side
  return [
    differs(byTrace) ? TRACE[byTrace] : undefined,
    differs(byCapture) ? CAPTURE[byCapture] : undefined,
    traceEnd(call, trace),
    shortRecording(call, trace, recorded),
  ].filter((text) => text !== undefined)
}

/** Compares durations, since the clocks of the components differ. */
function traceEnd(call: Call, trace: Traced | undefined): string | undefined {
  if (!trace || trace.cut || trace.answered === null) return undefined
  if (trace.ended === null)
    return mayBeLate(call)
      ? undefined
      : t('The trace does not show the end of the call. Its last spans have not arrived.')
  const missing = (call.duration ?? 0) - (trace.ended - trace.answered) / 1_000
  return missing > NOTICED_S
    ? t('The trace ends {time} before the call.', { time: `${decimalText(missing)} s` })
    : undefined
}

function shortRecording(
  call: Call,
  trace: Traced | undefined,
  recorded: number | undefined,
): string | undefined {
  const isTimed = trace?.recording != null && trace.ended !== null
  const expected = isTimed ? (trace.ended! - trace.recording!) / 1_000 : (call.duration ?? 0)
  if (recorded === undefined || recorded >= expected * SHORT) return undefined
  if (expected - recorded <= NOTICED_S) return undefined
  const [length, whole] = [durationText(recorded), durationText(expected)]
  return isTimed
    ? t('The recording is {length} long, but the call went on for {whole} after it began.', {
        length,
        whole,
      })
    : t('The recording is {length} long, the call {whole}.', { length, whole })
}
