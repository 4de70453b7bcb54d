import type { Call } from '@switchroom/contract'
import { afterEach, describe, expect, it } from 'vitest'
import type { Talk } from '../../talk/counts.ts'
import type { Span } from '../calls/store.ts'
import type { Arrival } from '../traces/store.ts'
import { keepVoice } from './keeper.ts'
import type { VoiceCall } from './store.ts'

const T0 = Date.parse('2026-03-01T10:00:00Z')
const QUIET = 10_000
const RETRY = 15_000

const record = (trace_id: string, more: Partial<Call> = {}) =>
  ({
    trace_id,
    call_sid: `call of ${trace_id}`,
    application_sid: 'app',
    attempted_at: new Date(T0).toISOString(),
    ...more,
  }) as Call

const talk = (trace_id: string, began = T0): Talk => ({
  words: ` ${trace_id} `,
  began,
  tag: {},
  call_sid: `call of ${trace_id}`,
  counts: [
    { by: 'all', key: '', measure: 'calls', value: 0, n: 1 },
    { by: 'all', key: '', measure: 'response', value: 700, n: 2 },
    { by: 'all', key: '', measure: 'prompts', value: 0, n: 3 },
    { by: 'vendor', key: 'voice\naws', measure: 'requests', value: 0, n: 3 },
  ],
})

/** A stand-in for the platform's records and traces, and for the store that keeps figures of them. */
function world() {
  const state = {
    time: T0,
    arrivals: new Map<string, Arrival>(),
    talks: new Map<string, Talk>(),
    records: [] as Call[],
    spans: [] as Span[],
    kept: new Map<string, VoiceCall>(),
    failing: false,
  }
  const keeper = keepVoice({
    now: () => state.time,
    arrivals: {
      async due(before, limit, except) {
        return [...state.arrivals.values()]
          .filter(({ at, trace_id }) => at <= before && !except.includes(trace_id))
          .slice(0, limit)
      },
      talks: async (ids) =>
        Object.fromEntries(
          ids.flatMap((id) => (state.talks.has(id) ? [[id, state.talks.get(id)!]] : [])),
        ),
      async done(arrivals) {
        for (const { trace_id, at } of arrivals)
          if (state.arrivals.get(trace_id)?.at === at) state.arrivals.delete(trace_id)
      },
    },
    calls: {
      async ofTraces(trace_ids, span) {
        state.spans.push(span)
        return state.records.filter(({ trace_id, attempted_at }) => {
          const at = Date.parse(attempted_at)
          return trace_ids.includes(trace_id!) && at >= span.from && at < span.to
        })
      },
    },
    voice: {
      async keep(calls) {
        if (state.failing) throw new Error('full')
        for (const call of calls) state.kept.set(call.trace_id, call)
      },
    },
  })
  const rooted = new Set<string>()
  const arrive = (trace_id: string, has_root = true) => {
    if (has_root) rooted.add(trace_id)
    const arrival = { trace_id, at: state.time, has_root: rooted.has(trace_id) }
    state.arrivals.set(trace_id, arrival)
  }
  return { state, keeper, arrive }
}

describe('keeping what conversations count for', () => {
  let stop: (() => Promise<void>) | undefined
  afterEach(async () => stop?.())
  function begin() {
    const made = world()
    stop = made.keeper.stop
    return made
  }

  it('waits until nothing comes any more, and counts applications', async () => {
    const { state, keeper, arrive } = begin()
    arrive('a')
    state.talks.set('a', talk('a'))
    state.records.push(record('a'))
    state.time += QUIET - 1
    await keeper.now()
    expect(state.kept.size).toBe(0)
    state.time += 1
    await keeper.now()
    expect(state.kept.get('a')).toMatchObject({ trace_id: 'a', call: { application_sid: 'app' } })
    const counts = state.kept.get('a')!.counts
    expect(counts.filter(({ by }) => by === 'application')).toEqual([
      { by: 'application', key: 'app', measure: 'calls', value: 0, n: 1 },
      { by: 'application', key: 'app', measure: 'response', value: 700, n: 2 },
    ])
    expect(counts).toEqual(expect.arrayContaining(talk('a').counts))
    expect(state.arrivals.size).toBe(0)
  })

  it('reads a trace again when more of it comes, but not that of a live call', async () => {
    const { state, keeper, arrive } = begin()
    arrive('a')
    arrive('live', false)
    state.talks.set('a', talk('a'))
    state.talks.set('live', talk('live'))
    state.records.push(record('a'), record('live'))
    state.time += QUIET
    await keeper.now()
    expect([...state.kept.keys()]).toEqual(['a'])
    expect(state.arrivals.size).toBe(0)
    state.talks.set('a', { ...talk('a'), counts: talk('a').counts.slice(0, 1) })
    arrive('a', false)
    state.time += QUIET
    await keeper.now()
    expect(state.kept.get('a')!.counts.map(({ by }) => by)).toEqual(['all', 'application'])
    expect(state.kept.get('a')!.words).toBe(' a ')
  })

  it('keeps a call whose root came before what was said', async () => {
    const { state, keeper, arrive } = begin()
    arrive('a')
    state.talks.set('a', { ...talk('a'), counts: [], words: '' })
    state.records.push(record('a'))
    state.time += QUIET
    await keeper.now()
    expect(state.kept.size).toBe(0)
    expect(state.arrivals.size).toBe(0)
    state.talks.set('a', talk('a'))
    arrive('a', false)
    state.time += QUIET
    await keeper.now()
    expect([...state.kept.keys()]).toEqual(['a'])
  })

  it('waits for the record of a call, but not for ever', async () => {
    const { state, keeper, arrive } = begin()
    arrive('late')
    arrive('never')
    state.talks.set('late', talk('late'))
    state.talks.set('never', talk('never'))
    state.time += QUIET
    await keeper.now()
    expect(state.kept.size).toBe(0)
    expect(state.arrivals.size).toBe(2)
    state.records.push(record('late'))
    await keeper.now()
    expect(state.kept.size).toBe(0)
    state.time += RETRY
    await keeper.now()
    expect([...state.kept.keys()]).toEqual(['late'])
    expect([...state.arrivals.keys()]).toEqual(['never'])
    for (let i = 1; i < 5; i++) {
      expect(state.arrivals.size).toBe(1)
      state.time += RETRY * 2 ** i
      await keeper.now()
    }
    expect(state.arrivals.size).toBe(0)
    expect(state.kept.size).toBe(1)
  })

  it('takes the call’s own record, not that of a leg', async () => {
    const { state, keeper, arrive } = begin()
    for (const id of ['own', 'first']) {
      arrive(id)
      state.talks.set(id, talk(id))
    }
    const earlier = new Date(T0 - 5_000).toISOString()
    const later = new Date(T0 + 5_000).toISOString()
    state.records.push(
      record('own', { call_sid: 'leg', attempted_at: earlier }),
      record('own', { account_sid: 'right' }),
      record('own', { call_sid: 'leg 2', attempted_at: later }),
      record('first', { call_sid: 'b', attempted_at: later }),
      record('first', { call_sid: 'a', attempted_at: earlier }),
    )
    state.time += QUIET
    await keeper.now()
    expect(state.kept.get('own')!.call.account_sid).toBe('right')
    expect(state.kept.get('first')!.call.call_sid).toBe('a')
  })

  it('forgets nothing that could not be kept', async () => {
    const { state, keeper, arrive } = begin()
    arrive('a')
    state.talks.set('a', talk('a'))
    state.records.push(record('a'))
    state.time += QUIET
    state.failing = true
    await expect(keeper.now()).rejects.toThrow('full')
    expect(state.arrivals.size).toBe(1)
    state.failing = false
    await keeper.now()
    expect(state.kept.size).toBe(1)
  })

  it('deals with any number at once, and with those that nobody can read', async () => {
    const { state, keeper, arrive } = begin()
    for (let i = 0; i < 1_000; i++) {
      arrive(`t${i}`)
      if (i % 2 === 0) state.talks.set(`t${i}`, talk(`t${i}`))
      state.records.push(record(`t${i}`))
    }
    state.time += QUIET
    await keeper.now()
    expect(state.kept.size).toBe(500)
    expect(state.arrivals.size).toBe(0)
  })

  it('asks for records of minutes only, whatever time a trace claims', async () => {
    const { state, keeper, arrive } = begin()
    for (const [id, began] of [
      ['a', T0],
      ['b', T0 + 60_000],
      ['c', 0],
      ['d', T0 + 1e12],
    ] as const) {
      arrive(id)
      state.talks.set(id, talk(id, began))
    }
    state.records.push(record('a'), record('b'), record('c'))
    state.time += QUIET
    await keeper.now()
    expect([...state.kept.keys()].sort()).toEqual(['a', 'b'])
    expect(state.spans).toHaveLength(3)
    for (const { from, to } of state.spans) expect(to - from).toBeLessThan(1_000_000)
  })
})
