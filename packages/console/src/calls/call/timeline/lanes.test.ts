import type { SipLadder, SipMessage } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { type Span, treeOf } from '../tracing/spans'
import { align, startOf } from './align'
import { extentOf, lanesOf, nearestTo, packed } from './lanes'

const T = 1_700_000_000_000
const call = { attempted_at: new Date(T).toISOString(), answered_at: null }
const message = (id: number, ms: number, more: Partial<SipMessage>): SipMessage => ({
  id,
  at: (T + ms) * 1_000,
  source: 0,
  destination: 1,
  leg: 0,
  label: 'INVITE',
  method: 'INVITE',
  status: null,
  cseq: 1,
  transport: 'udp',
  has_media: false,
  repeats: null,
  reordered: false,
  raw: '',
  ...more,
})
const ladder: SipLadder = {
  parties: [],
  legs: [{ call_id: 'a', parent: null }],
  messages: [
    message(0, 0, {}),
    message(1, 2_000, { source: 1, destination: 0, label: '200 OK', status: 200 }),
  ],
  figures: { post_dial_delay: null, ringing: null, talking: null },
  ending: null,
  diagnosis: [],
  cut: false,
}

type Spec = [name: string, parent: number, from: number, to: number]
/** Spans in milliseconds after T, by a clock that is `ahead`. */
function tree(specs: Spec[], ahead = 0) {
  const nano = (ms: number) => `${T + ms + ahead}000000`
  const spans = specs.map(([name, parent, from, to], i) => ({
    traceId: 't',
    spanId: String(i),
    parentSpanId: parent < 0 ? '' : String(parent),
    name,
    kind: '1',
    startTimeUnixNano: nano(from),
    endTimeUnixNano: nano(to),
    attributes: [],
  }))
  const scopeSpans = [{ scope: { name: '', version: '' }, spans }]
  return treeOf({
    resourceSpans: [
      { resource: { attributes: [] }, scopeSpans, instrumentationLibrarySpans: scopeSpans },
    ],
  })
}
const specs: Spec[] = [
  ['incoming-call', -1, 100, 9_000],
  ['call-status:in-progress', 0, 2_010, 2_100],
  ['background-record:listen', 0, 2_050, 9_000],
  ['verb:say', 0, 2_200, 4_000],
  ['tts-generation', 3, 2_200, 2_600],
  ['verb:gather{input}', 0, 4_000, 7_000],
  ['verb:hook', 5, 6_500, 7_000],
]

it('leaves times alone where the clocks agree', () => {
  expect(align(call, ladder, tree(specs))).toEqual({
    shift: 0,
    recording: T + 2_050,
    notes: [
      'SIP and trace are placed at the times their servers reported.',
      'Recording start is taken from the trace.',
    ],
  })
})

it('matches another clock at the answer, or less surely at the INVITE', () => {
  const ahead = align(call, ladder, tree(specs, 60_000))
  expect(ahead.shift).toBeCloseTo(-60_010, 0)
  expect(ahead.recording).toBeCloseTo(T + 2_040, 0)
  expect(ahead.notes[0]).toBe(
    'The trace’s clock is 60.0 s ahead of the capture’s. They are matched at the answer.',
  )
  const unanswered = align(call, ladder, tree([['incoming-call', -1, 0, 1_000]], -30_000))
  expect(unanswered.shift).toBe(30_000)
  expect(unanswered.notes[0]).toContain(
    '30.0 s behind the capture’s. They are matched at the INVITE',
  )
})

it('is matched at the INVITE of the call itself, not at one that it was made for', () => {
  const messages = [message(0, -20_000, { leg: 1 }), message(1, 0, {})]
  const { shift } = align(call, { ...ladder, messages }, tree([['incoming-call', -1, 100, 1_000]]))
  expect(shift).toBe(0)
})

it('says where the recording is drawn from when the trace does not show it', () => {
  const [, noRecording] = [specs[2], specs.filter(([name]) => !name.includes('record'))]
  expect(align(call, ladder, tree(noRecording))).toMatchObject({ recording: T + 2_000 })
  expect(align(call, ladder, undefined).notes[0]).toMatch(/in the SIP capture\. It may be off/)
  const answered_at = new Date(T + 1_500).toISOString()
  expect(align({ ...call, answered_at }, undefined, undefined)).toEqual({
    shift: 0,
    recording: T + 1_500,
    notes: [
      'Recording start is taken from the answer in the call record. It may be off by a second.',
    ],
  })
  expect(align(call, undefined, undefined).notes[0]).toMatch(/^Recording start is not known\./)
})

it('sorts messages and spans into lanes, and leaves out empty ones', () => {
  const lanes = lanesOf(ladder, tree(specs), 0)
  expect(lanes.map(({ name, items }) => [name, items.map(({ label }) => label)])).toEqual([
    ['Network', ['INVITE', '200 OK']],
    ['Application', ['call-status:in-progress, 90ms', 'verb:hook, 500ms']],
    ['Speech out', ['verb:say, 1.80s', 'tts-generation, 400ms']],
    ['Speech in', ['verb:gather{input}, 3.00s']],
  ])
  expect(lanes[2]!.rows).toBe(2)
  expect(lanesOf(undefined, undefined, 0)).toEqual([])
  expect(extentOf(lanes, undefined)).toEqual({ start: T, end: T + 7_000 })
  expect(extentOf(lanes, { start: T, end: T + 9_000 })?.end).toBe(T + 9_000)
  expect(extentOf([], undefined)).toBeUndefined()
})

it('finds what is nearest in time', () => {
  const [network] = lanesOf(ladder, undefined, 0)
  expect(nearestTo(network!.items, T + 900)?.label).toBe('INVITE')
  expect(nearestTo(network!.items, T + 1_100)?.label).toBe('200 OK')
  expect(nearestTo([], T)).toBeUndefined()
})

it('stacks what overlaps, in no more rows than there are', () => {
  const item = (id: string, start: number, end: number) => ({ id, start, end, label: '' })
  expect(packed([item('b', 5, 9), item('a', 0, 10), item('c', 20, 30)])).toMatchObject({
    rows: 2,
    items: [{ row: 0 }, { row: 1 }, { row: 0 }],
  })
  const many = Array.from({ length: 1_000 }, (_, i) => item(String(i), i, 5_000))
  expect(packed(many).rows).toBe(4)
})

it('keeps fractions of a millisecond', () => {
  expect(startOf({ began: 1_700_000_000_000_250_000n } as Span)).toBe(1_700_000_000_000.25)
})
