import type { Call } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { contradictionsOf } from './contradictions'

const call: Call = {
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
  attempted_at: '2026-11-22T13:00:00.000Z',
  answered_at: '2026-11-22T13:00:02.000Z',
  terminated_at: '2026-11-22T13:00:49.000Z',
  termination_reason: 'caller hungup',
  host: null,
  remote_host: null,
  direction: 'inbound',
  trunk: null,
  trace_id: null,
  recording_url: null,
}
/** By another clock than the record's. */
const trace = { answered: 5_000, ended: 51_900, recording: null, hung_up_by: null, cut: false }
const ending = (by: 'caller' | 'called' | 'platform' | null) => ({
  ending: { how: 'hangup', by, reason: null, status: null } as const,
})
const told = (more: Partial<Call>, sources: Partial<Parameters<typeof contradictionsOf>[1]> = {}) =>
  contradictionsOf(
    { ...call, ...more },
    { seen: undefined, trace: undefined, recorded: undefined, ...sources },
  )

it('says nothing where the sources agree, or tell nothing', () => {
  expect(told({})).toEqual([])
  expect(
    told({}, { seen: ending('caller'), trace: { ...trace, hung_up_by: 'caller' }, recorded: 45 }),
  ).toEqual([])
  const called = { termination_reason: 'called party hungup' }
  expect(
    told(called, { seen: ending('platform'), trace: { ...trace, hung_up_by: 'application' } }),
  ).toEqual([])
  expect(told({ termination_reason: 'other' }, { seen: ending('called') })).toEqual([])
  expect(told({}, { seen: ending(null) })).toEqual([])
  // the platform called
  expect(told({ direction: 'outbound' }, { seen: ending('platform') })).toEqual([])
  expect(
    told({ direction: 'outbound' }, { trace: { ...trace, hung_up_by: 'application' } }),
  ).toEqual([])
})

it('says that record, trace and capture disagree on who hung up', () => {
  expect(told({}, { trace: { ...trace, hung_up_by: 'application' } })).toEqual([
    'The call record says that the caller hung up, the trace that the application did.',
  ])
  expect(told({}, { seen: ending('platform') })).toEqual([
    'The call record says that the caller hung up, the SIP capture that the called party did.',
  ])
  const called = { termination_reason: 'called party hungup' }
  expect(
    told(called, { seen: ending('caller'), trace: { ...trace, hung_up_by: 'caller' } }),
  ).toEqual([
    'The call record says that the called party hung up, the trace that the caller did.',
    'The call record says that the called party hung up, the SIP capture that the caller’s side did.',
  ])
})

it('says that a trace ends before its call', () => {
  expect(told({}, { trace: { ...trace, ended: 30_000 } })).toEqual([
    'The trace ends 22.0 s before the call.',
  ])
  expect(told({}, { trace: { ...trace, ended: null } })).toEqual([
    'The trace does not show the end of the call. Its last spans have not arrived.',
  ])
  // more may come
  expect(
    told({ terminated_at: new Date().toISOString() }, { trace: { ...trace, ended: null } }),
  ).toEqual([])
  expect(told({}, { trace: { ...trace, ended: 30_000, cut: true } })).toEqual([])
  expect(told({ answered: false }, { trace: { ...trace, ended: 30_000 } })).toEqual([])
})

it('says that a recording is much shorter than its call', () => {
  expect(told({}, { recorded: 20 })).toEqual(['The recording is 0:20 long, the call 0:47.'])
  expect(told({}, { recorded: 42 })).toEqual([])
  // it began late
  expect(told({}, { trace: { ...trace, recording: 31_000 }, recorded: 20 })).toEqual([])
  expect(told({}, { trace: { ...trace, recording: 11_000 }, recorded: 20 })).toEqual([
    'The recording is 0:20 long, but the call went on for 0:41 after it began.',
  ])
  expect(told({ duration: 6 }, { recorded: 2 })).toEqual([])
})
