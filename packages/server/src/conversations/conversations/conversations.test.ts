import { type Conversation, MASK, NO_TRACE } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { tracedCalls } from '../../../test/traced-calls.ts'

const ids = { a1: 'a1'.repeat(16), b1: 'b1'.repeat(16), odd: 'dd'.repeat(16) }
const BEGAN = 1_767_268_800_000

type Attributes = Record<string, string>
const span = (
  traceId: string,
  id: number,
  [start, duration]: [number, number],
  name: string,
  attributes: Attributes = {},
) => ({
  traceId,
  spanId: String(id).padStart(16, '0'),
  parentSpanId: id === 1 ? '' : id === 4 ? '3'.padStart(16, '0') : '1'.padStart(16, '0'),
  name,
  kind: 1,
  startTimeUnixNano: `${BEGAN + start}000000`,
  endTimeUnixNano: `${BEGAN + start + duration}000000`,
  attributes: Object.entries(attributes).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  })),
})

const pin = (traceId: string) => [
  span(traceId, 1, [0, 9_000], 'incoming-call'),
  span(traceId, 2, [200, 20], 'call-status:in-progress'),
  span(traceId, 3, [230, 4_000], 'verb:gather{inputs=digits}', {
    'stt.resolve': 'dtmf-terminator-key',
  }),
  span(traceId, 4, [4_000, 220], 'verb:hook (/pin?api_key=CANARY-1)', {
    'http.body': '{"digits":"CANARY-2"}',
    'http.statusCode': '500',
  }),
  span(traceId, 5, [4_300, 1_000], 'verb:play:{url=https://u:CANARY-3@example.com/a.mp3}'),
]

const garbage = [
  span(ids.odd, 1, [0, 9_000], 'verb:gather{', { 'stt.resolve': 'speech', 'stt.result': '{"a' }),
  span(ids.odd, 2, [0, 0], 'verb:'),
  span(ids.odd, 3, [5, -5], 'verb:dial{', { 'http.body': '[]' }),
  span(ids.odd, 4, [7, 1], 'verb:hook (', { 'http.body': 'null' }),
]

let t: Awaited<ReturnType<typeof tracedCalls>>
beforeAll(async () => {
  t = await tracedCalls({
    spans: [...pin(ids.a1), ...pin(ids.b1), ...garbage],
    calls: [
      ['a1', ids.a1],
      ['b1', ids.b1],
      ['a1', ids.odd],
    ],
  })
})
afterAll(() => t.close())

const ask = (who: string, owner: keyof TestApp['sids'], trace_id: string) =>
  t.ask(who, owner, `conversation/${trace_id}`)

describe('a conversation', () => {
  it.each([
    ['a1', 'a1'],
    ['sp1', 'a1'],
    ['sp1', 'sp1'],
    ['admin', 'a1'],
    ['admin', 'sp1'],
  ] as const)('is returned to %s below %s', async (who, owner) => {
    const answer = await ask(who, owner, ids.a1.toUpperCase())
    expect(answer.statusCode, answer.body).toBe(200)
    const { began, answered, entries, findings }: Conversation = answer.json()
    expect({ began, answered }).toEqual({ began: BEGAN, answered: BEGAN + 200 })
    expect(entries.map(({ kind }) => kind)).toEqual(['event', 'heard', 'event', 'said'])
    expect(entries[1]).toMatchObject({ at: BEGAN + 4_000, digits: 'CANARY-2', ended_by: 'key' })
    expect(findings).toMatchObject([{ tone: 'bad', entry: 2 }])
  })

  it.each([
    ['another account’s below one’s own', 'a1', 'a1', ids.b1],
    ['another account’s below it', 'a2', 'a1', ids.a1],
    ['another provider’s below one’s own', 'sp1', 'sp1', ids.b1],
    ['another provider’s below it', 'sp2', 'sp1', ids.a1],
    ['of an account below another', 'admin', 'a2', ids.a1],
    ['without a call', 'admin', 'a1', 'cc'.repeat(16)],
    ['that there is none', 'admin', 'a1', NO_TRACE],
  ] as const)('is not found: %s', async (_, who, owner, trace_id) => {
    const answer = await ask(who, owner, trace_id)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('entries')
  })

  it('tells view-only callers no digits and no secret, and leaves them the rest', async () => {
    const whole = await ask('a1', 'a1', ids.a1)
    for (const n of [2, 3]) expect(whole.body).toContain(`CANARY-${n}`)
    // of a webhook only its path is told
    expect(whole.body).not.toContain('CANARY-1')
    for (const [who, owner] of [
      ['a1-viewer', 'a1'],
      ['sp1-viewer', 'sp1'],
      ['admin-viewer', 'a1'],
    ] as const) {
      const { statusCode, body } = await ask(who, owner, ids.a1)
      expect([statusCode, body]).toEqual([200, expect.not.stringContaining('CANARY')])
      for (const rest of [MASK, '/pin', 'HTTP status 500', 'example.com/a.mp3'])
        expect(body).toContain(rest)
    }
  })

  it('is told of spans that are not what the platform sends', async () => {
    const answer = await ask('a1', 'a1', ids.odd)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().entries).not.toEqual([])
  })

  it.each(['x', 'a'.repeat(31)])('rejects the id %s', async (id) => {
    expect((await ask('admin', 'a1', id)).statusCode).toBe(400)
  })
})
