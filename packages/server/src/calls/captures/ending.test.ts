import { expect, it } from 'vitest'
import { A, ACK, answer, ask, B, C, ID, INVITE, ladder } from '../../../test/ladder.ts'

const invite = ask(0, INVITE)
const ringing = answer(1, '180 Ringing')
const talk = [invite, ringing, answer(6, '200 OK'), ask(6.1, ACK, { within: true })]
const BYE = 'BYE sip:1000@pbx'
const bye = (at: number, from: string, to: string, more = {}) => ({
  ...ask(at, BYE, { cseq: '2 BYE', within: true as const, ...more }),
  from,
  to,
})
const endingOf = (...args: Parameters<typeof ladder>) => ladder(...args).ending

it.each([
  ['caller', A, B],
  ['called', B, A],
])('tells that the %s side hung up', (by, from, to) => {
  const headers = ['Reason: Q.850;cause=16;text="Normal Clearing"']
  expect(endingOf([...talk, bye(30, from, to, { headers })])).toEqual({
    how: 'hangup',
    by,
    reason: 'Normal Clearing',
    status: null,
  })
})

it('does not guess where the capture does not show the end', () => {
  expect(endingOf(talk)).toBeNull()
  expect(endingOf([invite, ringing])).toBeNull()
  expect(endingOf([bye(30, A, B)])).toBeNull()
  const elsewhere = { ...bye(30, A, B), from: '192.0.2.99' }
  expect(endingOf([...talk, elsewhere])).toMatchObject({ by: null })
})

it('tells who cancelled, and the response to that', () => {
  const cancel = ask(5, 'CANCEL sip:2000@pbx', { cseq: '1 CANCEL' })
  const terminated = answer(5.1, '487 Request Terminated')
  expect(endingOf([invite, ringing, cancel, terminated])).toEqual({
    how: 'cancel',
    by: 'caller',
    reason: null,
    status: '487 Request Terminated',
  })
})

it('tells who refused the call and why', () => {
  const headers = ['Reason: Q.850;cause=17']
  expect(endingOf([invite, answer(1, '486 Busy Here', { headers }), ask(1.1, ACK)])).toEqual({
    how: 'failure',
    by: 'called',
    reason: 'Q.850 cause 17',
    status: '486 Busy Here',
  })
})

it('follows a BYE to the leg where it started', () => {
  const onward = { call_id: 'b', branch: 'z9hG4bKb', headers: [`X-CID: ${ID}`] }
  const between = (lines: ReturnType<typeof bye>[]) => [
    invite,
    { ...ask(0.1, INVITE, onward), from: B, to: C },
    { ...answer(5, '200 OK', onward), from: C, to: B },
    answer(6, '200 OK'),
    ...lines,
  ]
  const other = { call_id: 'b', branch: 'z9hG4bKbye' }
  // the far end hung up, which the platform passed on
  expect(endingOf(between([bye(30, C, B, other), bye(30.1, B, A)]))).toMatchObject({ by: 'called' })
  // the far end left long before the platform hung up
  expect(endingOf(between([bye(20, C, B, other), bye(30, B, A)]))).toMatchObject({ by: 'platform' })
  expect(endingOf(between([bye(30, A, B), bye(30.1, B, C, other)]))).toMatchObject({ by: 'caller' })
})
