import type { Trace } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { durationOf, factsOf, momentOf, rowsOf, type Span, treeOf } from './spans'

type SpanSpec = {
  id: string
  parent?: string
  from?: string
  to?: string
  name?: string
  more?: object
}
const otlpSpan = ({ id, parent = '', from = '1000', to = '2000', name = id, more }: SpanSpec) => ({
  traceId: 'a'.repeat(32),
  spanId: id,
  parentSpanId: parent,
  name,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: from,
  endTimeUnixNano: to,
  attributes: [],
  ...more,
})
const trace = (...spans: SpanSpec[]) =>
  ({ resourceSpans: [{ scopeSpans: [{ spans: spans.map(otlpSpan) }] }] }) as unknown as Trace
const rowTexts = (t: Trace, collapsed: string[] = []) =>
  rowsOf(treeOf(t).roots, new Set(collapsed)).map(({ span, level }) => `${level} ${span.id}`)

describe('durations', () => {
  it.each([
    [0, '0.00ms'],
    [120_000, '0.12ms'],
    [999_000, '1.00ms'],
    [1_000_000, '1ms'],
    [250_400_000, '250ms'],
    [999_600_000, '1000ms'],
    [1_000_000_000, '1.00s'],
    [59_990_000_000, '59.99s'],
    [60_000_000_000, '1m 0s'],
    [119_900_000_000, '2m 0s'],
    [125_000_000_000, '2m 5s'],
    [4_000_000_000_000, '66m 40s'],
  ])('of %d ns are %s', (ns, text) => expect(durationOf(ns)).toBe(text))
})

describe('the tree of a trace', () => {
  it('puts each span below its parent, ordered by time', () => {
    const t = trace(
      { id: 'b', parent: 'r', from: '3000', to: '4000' },
      { id: 'a', parent: 'r', from: '2000', to: '9000' },
      { id: 'r', from: '1000', to: '9500' },
      { id: 'a1', parent: 'a', from: '2500', to: '2600' },
    )
    expect(rowTexts(t)).toEqual(['1 r', '2 a', '3 a1', '2 b'])
    expect(rowTexts(t, ['a'])).toEqual(['1 r', '2 a', '2 b'])
    expect(treeOf(t)).toMatchObject({ count: 4, length: 8500 })
    expect(treeOf(t).roots[0]!.children[0]).toMatchObject({ start: 1000, duration: 7000 })
  })

  it('orders spans of one millisecond by their ends, however they arrive', () => {
    const t = trace(
      { id: 'b', parent: 'r', from: '2000', to: '9000' },
      { id: 'a', parent: 'r', from: '2000', to: '2100' },
      { id: 'r', from: '1000', to: '9500' },
    )
    expect(rowTexts(t)).toEqual(['1 r', '2 a', '2 b'])
  })

  it('keeps spans whose parent is missing, themselves, or a descendant', () => {
    const t = trace(
      { id: 'orphan', parent: 'gone' },
      { id: 'self', parent: 'self' },
      { id: 'x', parent: 'y' },
      { id: 'y', parent: 'x' },
    )
    expect(
      rowTexts(t)
        .map((row) => row.slice(2))
        .sort(),
    ).toEqual(['orphan', 'self', 'x', 'y'])
  })

  it('reads both field names for scopes', () => {
    const scopes = [{ spans: [otlpSpan({ id: 'r' })] }]
    const older = { resourceSpans: [{ instrumentationLibrarySpans: scopes }] }
    expect(rowTexts(older as unknown as Trace)).toEqual(['1 r'])
  })

  it.each([
    {},
    { resourceSpans: null },
    { resourceSpans: [{}] },
    { resourceSpans: [{ scopeSpans: [{ spans: [{ spanId: 'a' }] }] }] },
  ])('is empty for %j', (t) =>
    expect(treeOf(t as unknown as Trace)).toEqual({ roots: [], count: 0, length: 0 }),
  )

  it('accepts attributes of any type', () => {
    const attributes = [
      { key: 'a', value: { stringValue: '{"x":' } },
      { key: 'b' },
      { key: 'c', value: { boolValue: false } },
      { key: 'd', value: { intValue: '7' } },
      { key: 'e', value: { arrayValue: { values: [1] } } },
      { key: 'telemetry.sdk.name', value: { stringValue: 'hidden' } },
      { key: 'internal.x', value: { stringValue: 'hidden' } },
      { value: {} },
    ]
    const [root] = treeOf(trace({ id: 'r', more: { attributes } })).roots
    expect(root!.attributes).toEqual([
      ['a', '{"x":'],
      ['b', ''],
      ['c', 'false'],
      ['d', '7'],
      ['e', '{"values":[1]}'],
    ])
  })

  it('handles tens of thousands of nested spans', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => ({ id: `${i}`, parent: `${i - 1}` }))
    expect(rowTexts(trace(...chain))).toHaveLength(20_000)
  })
})

describe('the details of a span', () => {
  it('include the attributes of its speech generation', () => {
    const span = (name: string, attributes: Span['attributes'], children: Span[] = []): Span => ({
      id: name,
      name,
      start: 0,
      duration: 0,
      began: 0n,
      attributes,
      children,
    })
    const generation = span('tts-generation', [
      ['tts.vendor', 'google'],
      ['tts.cached', 'false'],
      ['time_to_first_byte_ms', '120'],
    ])
    const say = span('verb:say', [['channel', '1']], [generation, span('other', [['x', 'y']])])
    expect(factsOf(say)).toEqual([
      ['channel', '1'],
      ['time_to_first_byte_ms', '120'],
    ])
  })

  it('give times to the millisecond', () => {
    const at = new Date(2026, 10, 21, 9, 5, 1, 250)
    expect(momentOf(BigInt(at.getTime()) * 1_000_000n)).toBe('Nov 21, 2026, 09:05:01.250')
    expect(momentOf(2n ** 64n)).toMatch(/^[A-Z][a-z]{2} \d\d, /)
  })
})
