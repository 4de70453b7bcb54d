import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextMillisecond } from '../../../test/next-millisecond.ts'
import { testTraces } from '../../../test/traces.ts'
import { Segments } from './files/segments.ts'
import type { Batch } from './span.ts'
import type { Arrival } from './store.ts'

const LATER = 8.64e15
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0')
const trace = (n: number) => hex(n, 32)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-arrivals-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

let spans = 0
/** A span of a call; of the whole call with a name of one. */
const span = (of: number, name = 'verb:say', parentSpanId = name === 'verb:say' ? 'p' : '') => ({
  traceId: trace(of),
  spanId: hex(++spans, 16),
  parentSpanId,
  name,
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  attributes: [],
})
const batch = (...spans: Batch['spans']): Batch[] => [
  { origin: { resource: [], scope: { name: '', version: '' } }, spans },
]
const told = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ trace_id, has_root }) => [Number.parseInt(trace_id, 16), has_root])

describe('arrivals in files', () => {
  const open = (max_bytes = 1e9) => new Segments({ folder, days: 30, max_bytes })

  it('are of traces, once each, with whether the call is over', async () => {
    const segments = open()
    segments.write(batch(span(1), span(2), span(1), span(3, 'incoming-call')))
    segments.write(batch(span(2, 'rest-call'), span(4, 'incoming-call', 'p'), span(5, 'other', '')))
    segments.write(batch(span(3)))
    const due = await segments.due(LATER, 10, [])
    expect(told(due).toSorted()).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
      [5, false],
    ])
    segments.close()
  })

  it('come the longest quiet first, without what is excluded or still comes', async () => {
    const segments = open()
    segments.write(batch(span(1), span(2), span(3)))
    const [{ at } = { at: 0 }] = await segments.due(LATER, 1, [])
    segments.write(batch(span(1)))
    expect(told(await segments.due(at + 1, 10, []))).toEqual([
      [2, false],
      [3, false],
    ])
    expect(told(await segments.due(LATER, 10, [])).at(-1)).toEqual([1, false])
    expect(told(await segments.due(LATER, 1, [trace(2)]))).toEqual([[3, false]])
    expect(await segments.due(at, 10, [])).toEqual([])
    segments.close()
  })

  it('are not forgotten if something came since, also in another file', async () => {
    const segments = open()
    segments.write(batch(span(1, 'incoming-call'), span(2)))
    const due = await segments.due(LATER, 10, [])
    // spans of one millisecond count as one arrival
    nextMillisecond()
    segments.write(batch(span(1)))
    segments.done(due)
    const [again, ...others] = await segments.due(LATER, 10, [])
    expect(again).toMatchObject({ trace_id: trace(1), has_root: true })
    expect(others).toEqual([])
    segments.close()

    // a file is full at once
    const small = open(16)
    nextMillisecond()
    small.write(batch(span(1)))
    expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toHaveLength(2)
    small.done([again!])
    // its root came before, and is in the other file
    expect(told(await small.due(LATER, 10, []))).toEqual([[1, true]])
    small.write(batch(span(1, 'incoming-call')))
    const merged = await small.due(LATER, 10, [])
    expect(told(merged)).toEqual([[1, true]])
    small.done(merged)
    expect(await small.due(LATER, 10, [])).toEqual([])
    // more of a call that was handled, and of one in progress
    small.write(batch(span(1), span(3)))
    const more = await small.due(LATER, 10, [])
    expect(told(more).toSorted()).toEqual([
      [1, true],
      [3, false],
    ])
    small.done(more)
    expect(await small.due(LATER, 10, [])).toEqual([])
    small.close()
  })

  it('wait for the newest span, in whichever file it is', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const segments = open(16)
    segments.write(batch(span(1), span(2)))
    const [{ at } = { at: 0 }] = await segments.due(LATER, 1, [])
    vi.setSystemTime(Date.now() + 5)
    segments.write(batch(span(1, 'incoming-call')))
    expect(told(await segments.due(at + 1, 10, []))).toEqual([[2, false]])
    segments.close()
  })

  it('are kept when the process ends', async () => {
    const before = open()
    before.write(batch(span(1, 'incoming-call')))
    before.close()
    const after = open()
    expect(told(await after.due(LATER, 10, []))).toEqual([[1, true]])
    after.close()
  })

  it('are made for calls of before the update, once', async () => {
    const begun = Date.now() - 1_000
    const old = new DatabaseSync(join(folder, `${begun}.db`))
    old.exec(`
      create table origins (id integer primary key, body text not null unique);
      create table spans (id integer primary key, trace blob not null, span blob not null,
        origin integer not null, body text not null, unique (trace, span));
      insert into origins (body) values ('{"resource":[],"scope":{"name":"","version":""}}');
      pragma user_version = 1;`)
    const insert = old.prepare('insert into spans (trace, span, origin, body) values (?, ?, 1, ?)')
    const add = (one: Batch['spans'][number], body?: string) => {
      const { traceId, spanId, ...rest } = one
      const ids = [traceId, spanId].map((id) => Buffer.from(id, 'hex')) as [Buffer, Buffer]
      insert.run(...ids, body ?? JSON.stringify(rest))
    }
    old.exec('begin')
    // several looks
    for (let i = 1; i <= 6_000; i++) {
      add(span(i))
      if (i % 2 === 0) add(span(i, 'incoming-call'))
    }
    add(span(1, 'incoming-call'), 'no JSON')
    old.exec('commit')
    old.close()

    const segments = open()
    segments.write(batch(span(7_000, 'incoming-call'), span(1)))
    const due = await segments.due(LATER, 10_000, [])
    expect(due).toHaveLength(3_002)
    expect(new Set(told(due).flatMap(([, has_root]) => has_root))).toEqual(new Set([true, false]))
    segments.done(due)
    expect(await segments.due(LATER, 10_000, [])).toEqual([])
    segments.close()
    const again = open()
    expect(await again.due(LATER, 10_000, [])).toEqual([])
    again.write(batch(span(2)))
    expect(told(await again.due(LATER, 10, []))).toEqual([[2, true]])
    again.close()
  })
})

describe('what calls count for', () => {
  const root = (of: number, attributes: object[] = []) => ({
    ...span(of, 'incoming-call'),
    kind: 1,
    attributes,
  })
  const body = (...spans: object[]) =>
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

  it('is told of traces that are there and over', async () => {
    const store = await testTraces('embedded', folder)
    const attributes = [{ key: 'callSid', value: { stringValue: 'c1' } }]
    const sent = await fetch(`http://127.0.0.1:${store.ports[0]}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(root(1, attributes), { ...span(2), parentSpanId: '00000000000000ff' }),
    })
    expect(sent.status).toBe(200)
    expect(await store.arrivals!.talks([1, 2, 3].map(trace))).toEqual({
      [trace(1)]: { began: 1_700_000_000_000, call_sid: 'c1', counts: [], words: '', tag: {} },
    })
    const due = await store.arrivals!.due(LATER, 10, [])
    expect(told(due).toSorted()).toEqual([
      [1, true],
      [2, false],
    ])
    await store.arrivals!.done(due)
    expect(await store.arrivals!.due(LATER, 10, [])).toEqual([])
    await store.close()
  })

  it('leaves a trace out that cannot be understood', async () => {
    const { talksIn } = await import('./talks.ts')
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    segments.write(batch(span(1, 'incoming-call'), span(3, 'incoming-call')))
    const find = (trace_id: string) => {
      if (trace_id === trace(2)) throw new SyntaxError('no JSON')
      return segments.find(trace_id)
    }
    const talks = await talksIn({ find }, [1, 2, 3].map(trace))
    expect(Object.keys(talks)).toEqual([trace(1), trace(3)])
    const full = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const fails = () => {
      throw full
    }
    await expect(talksIn({ find: fails }, [trace(1)])).rejects.toBe(full)
    segments.close()
  })
})
