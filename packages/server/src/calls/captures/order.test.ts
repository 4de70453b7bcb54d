import { expect, it } from 'vitest'
import { A, ACK, answer, ask, B, C, ID, INVITE, type Line, ladder } from '../../../test/ladder.ts'

const labels = (lines: Line[]) =>
  ladder(lines).messages.map(({ label, reordered }) => (reordered ? `${label} *` : label))
const own = { branch: 'z9hG4bKack', within: true } as const

it('puts messages of one microsecond in the order that SIP allows', () => {
  expect(
    labels([
      ask(0, ACK, own),
      answer(0, '200 OK'),
      answer(0, '180 Ringing'),
      answer(0, '100 Trying'),
      ask(0, INVITE),
    ]),
  ).toEqual(['INVITE *', '100 Trying *', '180 Ringing *', '200 OK *', 'ACK'])
})

it('leaves messages as they were captured where that is possible', () => {
  const lines = [
    ask(0, INVITE),
    answer(0, '100 Trying'),
    answer(1, '180 Ringing'),
    answer(1, '180 Ringing'),
    answer(2, '200 OK'),
    ask(2, ACK, own),
    // retransmitted, and answered again
    ask(2.1, INVITE),
    answer(2.1, '100 Trying'),
    answer(2.2, '200 OK'),
    ask(2.3, ACK, own),
  ]
  expect(ladder(lines).messages.map(({ reordered }) => reordered)).toEqual(lines.map(() => false))
})

it('follows no clocks that differ by less than a round trip, and those that differ by more', () => {
  expect(labels([answer(0, '100 Trying'), ask(0.4, INVITE)])).toEqual(['INVITE *', '100 Trying'])
  expect(labels([answer(0, '100 Trying'), ask(0.6, INVITE)])).toEqual(['100 Trying', 'INVITE'])
})

it('tells the hops of a request apart', () => {
  const hop = (line: Line, more: Partial<Line>): Line => ({ ...line, ...more })
  const far = { from: B, to: C, branch: 'z9hG4bKb' }
  const via = { headers: ['Via: SIP/2.0/UDP x;branch=z9hG4bK1'] }
  expect(
    labels([
      answer(0, '486 Busy Here'),
      hop(answer(0, '486 Busy Here'), { ...far, ...via, from: C, to: B }),
      hop(ask(0, INVITE), { ...far, ...via }),
      ask(0, INVITE),
      ask(0, ACK),
      hop(ask(0, ACK), far),
    ]),
  ).toEqual(['INVITE *', 'INVITE *', '486 Busy Here *', '486 Busy Here', 'ACK', 'ACK'])
})

it('puts what a dialog sends in the order of its sequence numbers', () => {
  expect(
    labels([
      ask(0, 'BYE sip:2000@pbx', { cseq: '3 BYE', within: true }),
      ask(0, ACK, { ...own, cseq: '2 ACK' }),
      answer(0, '200 OK', { cseq: '2 INVITE' }),
      ask(0, INVITE, { cseq: '2 INVITE' }),
      ask(0, ACK),
      answer(0, '407 Proxy Authentication Required'),
      ask(0, INVITE),
    ]),
  ).toEqual([
    'INVITE *',
    '407 Proxy Authentication Required *',
    'ACK *',
    'INVITE *',
    '200 OK *',
    'ACK *',
    'BYE',
  ])
})

it('puts a leg after the one that it was made for', () => {
  const onward = { call_id: 'b', headers: [`X-CID: ${ID}`] }
  const { messages } = ladder([{ ...ask(0, INVITE, onward), from: B, to: C }, ask(0, INVITE)])
  expect(messages.map(({ leg, reordered }) => [leg, reordered])).toEqual([
    [0, true],
    [1, false],
  ])
})

it('ends where messages contradict each other', () => {
  const at = (hop: string, below: string) =>
    ask(0, INVITE, { branch: hop, headers: [`Via: SIP/2.0/UDP x;branch=${below}`] })
  expect(labels([at('a', 'b'), at('b', 'a'), { ...at('c', 'c'), from: A }]).length).toBe(3)
})
