import { sipStatusText } from '@switchroom/contract'
import type { Call, Leg } from './call.ts'
import { callMembers } from './call-members.ts'
import { exchange, isSocketUrl } from './exchange.ts'

const REASONS: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  202: 'Accepted',
}

/** The reason phrase of a SIP status. */
export const reasonOf = (status: number) =>
  REASONS[status] ?? sipStatusText(status).slice(String(status).length + 1)

/**
 * Moves a leg to another status, and tells the application. The platform does not wait for an answer; a run does, so
 * that its steps are always in the same order, but counts no time for it.
 */
export async function setStatus(
  call: Call,
  leg: Leg,
  call_status: string,
  sip_status = leg.sip_status,
  more: Record<string, unknown> = {},
) {
  Object.assign(leg, { call_status, sip_status, sip_reason: reasonOf(sip_status) })
  await notifyStatus(call, leg, more)
}

export async function notifyStatus(call: Call, leg = call.leg, more: Record<string, unknown> = {}) {
  // one that comes in over a WebSocket tells its status there, whatever its status hook
  const hook = call.socket ? call.socket.url : call.statusHook
  if (!hook || call.socket?.isDone()) return
  const stored = typeof hook === 'string' ? null : hook
  if (stored && isSocketUrl(stored.url)) return
  await exchange(call, {
    name: 'call:status',
    hook,
    data: { ...callMembers(call, leg), ...more },
    expects: 'nothing',
    credentials: stored,
    isAside: true,
  })
}

/** Hangs up a dialed party. */
export async function completeLeg(call: Call, leg: Leg, by: Leg['call_termination_by']) {
  leg.duration = Math.round((call.clock.now() - (leg.answered_at ?? call.clock.now())) / 1_000)
  if (by) leg.call_termination_by = by
  await setStatus(call, leg, 'completed')
}
