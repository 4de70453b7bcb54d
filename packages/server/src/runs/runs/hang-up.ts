import type { Call, Ended } from './call.ts'
import { setStatus } from './call-status.ts'
import { flush } from './streamed-speech.ts'

/** The caller gave up before the call was answered. */
const CANCELED = 487
/** Nobody answered it. */
const DECLINED = 603

/** Ends the call, and tells the application how. The running verb may still post its hook. */
export async function hangUp(call: Call, ended: Ended, more: Record<string, unknown> = {}) {
  if (call.ended) return
  // the caller's call goes on without the party that was dialed
  if (call.side === 'called') {
    call.isCalledGone = true
    return
  }
  const { leg, clock } = call
  flush(call)
  if (leg.answered_at !== undefined) {
    call.ended = ended
    leg.call_termination_by = ended.by === 'caller' ? 'caller' : 'jambonz'
    leg.duration = Math.round((clock.now() - leg.answered_at) / 1_000)
    await setStatus(call, leg, 'completed', leg.sip_status, more)
  } else if (ended.by === 'caller') {
    call.ended = { sip_status: CANCELED, ...ended }
    leg.call_termination_by = 'caller'
    await setStatus(call, leg, 'no-answer', CANCELED)
  } else {
    // a call that nobody answered has no further status, unless the verb sends one
    call.ended = { sip_status: DECLINED, ...ended }
  }
}
