import { expect, it } from 'vitest'
import type { Call } from './calls.ts'
import { hungUpBy } from './hung-up.ts'

type Known = Parameters<typeof hungUpBy>[1]
const by = (known: Known, call: Partial<Call> = {}) =>
  hungUpBy({ answered: true, direction: 'inbound', termination_reason: null, ...call }, known)
const seen = (party: 'caller' | 'called' | 'platform' | null) => ({
  ending: { how: 'hangup' as const, by: party, reason: null, status: null, at: 0 },
})
const trace = (hung_up_by: 'caller' | 'application' | null) => ({ hung_up_by })

it('names one party, from the source that knows it best', () => {
  expect(by({})).toBeUndefined()
  expect(by({ seen: seen('caller') })).toBe('caller')
  expect(by({}, { termination_reason: 'called party hungup' })).toBe('called')
  expect(by({ trace: trace('caller') })).toBe('caller')
  // SIP and record see the platform only
  expect(by({ seen: seen('called'), trace: trace('application') })).toBe('application')
  expect(by({ seen: seen('platform'), trace: trace('application') })).toBe('application')
  expect(by({ trace: trace('application') }, { termination_reason: 'called party hungup' })).toBe(
    'application',
  )
  expect(by({ seen: seen('platform') })).toBe('platform')
  // whom the application had connected
  expect(by({ seen: seen('called'), trace: trace(null) })).toBe('called')
})

it('of an outbound call takes the caller for the platform', () => {
  const outbound = { direction: 'outbound' } as const
  expect(by({ seen: seen('called'), trace: trace('caller') }, outbound)).toBe('called')
  expect(by({ trace: trace('caller') }, outbound)).toBeUndefined()
  expect(by({ seen: seen('caller'), trace: trace('application') }, outbound)).toBe('application')
})

it('keeps what SIP saw where the trace differs, which is told beside it', () => {
  expect(by({ seen: seen('caller'), trace: trace('application') })).toBe('caller')
})

it('of a call that was not answered is nobody', () => {
  expect(by({ seen: seen('caller') }, { answered: false })).toBeUndefined()
})
