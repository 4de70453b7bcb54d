import { expect, it } from 'vitest'
import { callSentence } from './call-sentence.ts'
import type { Call } from './calls.ts'

const AT = '2026-11-22T13:00:00.000Z'
const later = (s: number) => new Date(Date.parse(AT) + s * 1_000).toISOString()
const call = (more: Partial<Call>): Call => ({
  account_sid: null,
  service_provider_sid: null,
  call_sid: null,
  application_sid: null,
  from: '100',
  to: '200',
  sip_callid: null,
  sip_parent_callid: null,
  answered: true,
  sip_status: 200,
  duration: 47,
  attempted_at: AT,
  answered_at: later(2.1),
  terminated_at: later(49),
  termination_reason: null,
  host: null,
  remote_host: null,
  direction: 'inbound',
  trunk: null,
  trace_id: null,
  recording_url: null,
  ...more,
})
const text = (more: Partial<Call>, seen?: Parameters<typeof callSentence>[2]) =>
  callSentence(call(more), (n) => `+${n}`, seen)
const figures = { post_dial_delay: 500, ringing: 1_600, talking: null }
const failed = { answered: false, answered_at: null, duration: 0, terminated_at: later(14.2) }

it('tells an answered call from its record', () => {
  expect(text({})).toBe('Inbound from +100 to +200, answered after 2.1 s, ended after 0:47.')
  expect(text({ termination_reason: 'caller hungup' })).toContain(
    ', ended by the caller after 0:47.',
  )
  expect(text({ termination_reason: 'Timeout' })).toContain(', ended after 0:47 (Timeout).')
  expect(text({ direction: null, answered_at: null, duration: null })).toBe(
    'From +100 to +200, answered.',
  )
})

it('adds how long it rang and who hung up from the capture', () => {
  const ending = { how: 'hangup', by: 'caller', reason: 'Normal Clearing', status: null } as const
  expect(text({ termination_reason: 'x' }, { figures, ending })).toBe(
    'Inbound from +100 to +200, rang for 1.6 s, answered after 2.1 s, ended by the caller after 0:47 (Normal Clearing).',
  )
  expect(text({}, { figures, ending: { ...ending, by: null, reason: null } })).toContain(
    ', ended after 0:47.',
  )
  expect(text({ duration: null }, { figures, ending })).toContain(', ended by the caller (Normal')
})

it('tells why a call was not answered', () => {
  expect(text({ ...failed, sip_status: 486 })).toBe(
    'Inbound from +100 to +200, busy after 14.2 s (486 Busy Here).',
  )
  const cancel = { how: 'cancel', by: 'caller', reason: null, status: '487 Gone' } as const
  expect(text({ ...failed, sip_status: 487 }, { figures, ending: cancel })).toBe(
    'Inbound from +100 to +200, rang for 1.6 s, cancelled by the caller after 14.2 s (487 Gone).',
  )
  const failure = { how: 'failure', by: 'called', reason: 'No circuit', status: '503 X' } as const
  expect(text({ ...failed, sip_status: 503 }, { figures, ending: failure })).toContain(
    'failed after 14.2 s (503 X, No circuit).',
  )
})

it('does not guess', () => {
  expect(text({ ...failed, sip_status: null, terminated_at: null, from: null })).toBe(
    'Inbound from an unknown number to +200, not answered.',
  )
  expect(text({ answered: null, sip_status: 486 })).toContain('outcome unknown (486 Busy Here).')
  // a clock that was set back
  expect(text({ answered_at: later(-5) })).toContain(', answered, ended')
})
