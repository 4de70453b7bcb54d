import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TraceSpan } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownClickHouse, ownOrClickHouse } from '../../../test/clickhouse.ts'
import { asSpans, examples } from '../../../test/conversations.ts'
import { exportAll, exporters, readable } from '../../../test/exported-spans.ts'
import { KEEP_ALL, testTraces } from '../../../test/traces.ts'
import type { Redacted } from '../../talk/masked.ts'
import { talkOf } from '../../talk/talk.ts'
import { clickHouse } from '../clickhouse/client.ts'
import { clickHouseTraceStore } from './clickhouse/store.ts'
import { traceOf } from './span.ts'
import type { WordsPolicy } from './store.ts'
import { Redaction } from './words.ts'

const policy = (accounts: Record<string, Redacted>): WordsPolicy => ({
  accounts: new Map(Object.entries(accounts)),
  unknown: Object.values(accounts).includes('leave_out') ? 'leave_out' : Object.values(accounts)[0],
  key: 'key',
})
const POLICY = policy({ masks: 'mask', leaves: 'leave_out' })
const CANARY = '4929003344556677'
const WORD = 'canaryword'

let id = 0
const NOW = `${Date.now()}000000`
const span = (
  traceId: string,
  name: string,
  attributes: Record<string, string> = {},
  spanId = (++id).toString(16).padStart(16, '0'),
) => ({
  ...{ traceId, spanId, parentSpanId: '', name, kind: 1 },
  ...{ startTimeUnixNano: NOW, endTimeUnixNano: NOW },
  attributes: Object.entries(attributes).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  })),
})
const status = (traceId: string, accountSid: string) =>
  span(traceId, 'call-status:trying', { accountSid })
const hook = (traceId: string) =>
  span(traceId, 'verb:hook (/a)', {
    'http.body': JSON.stringify({
      digits: CANARY,
      speech: { alternatives: [{ transcript: WORD }] },
    }),
  })

async function post(port: number, spans: object[]) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

/** All bytes of the files in a folder. */
const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-words-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const idOf = (n: number) => `f${n.toString(16).padStart(31, '0')}`

describe.each(ownOrClickHouse)('sent to %s', (kind) => {
  let store: Awaited<ReturnType<typeof testTraces>>
  const open = async (words = POLICY) => {
    store = await testTraces(kind, folder, words)
    return store.ports[0]!
  }
  afterEach(() => store.close())

  const textOf = async (trace_id: string) =>
    JSON.stringify(
      await vi.waitFor(async () => (await store.find(trace_id)) ?? Promise.reject(), 60_000),
    )

  const spansOf = async (trace: string) =>
    (await store.find(trace))!.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((of) => of.spans))
  /** How often its spans have a word. */
  const count = async (trace: string, word: string) =>
    JSON.stringify(await spansOf(trace)).split(word).length - 1

  it.each(Object.keys(exporters).map((name, i) => [name, i] as const))(
    'no word of the examples is kept, and their figures are, through the exporter of %s',
    async (name, i) => {
      await open()
      const [otlp, jaeger] = store.ports.map((port) => `http://127.0.0.1:${port}`)
      const all = examples
        .filter(({ spans }) => spans.every(({ duration }) => duration >= 0))
        .map((example, n): TraceSpan[] => [
          ...asSpans(example, idOf(n + 1_000 * i)).map(owned),
          // as others may send it
          { ...hook(idOf(n + 1_000 * i)), kind: 'SPAN_KIND_INTERNAL' },
        ])
      for (const exporter of exporters[name]!(otlp!, jaeger!)) {
        for (const spans of all) await exportAll(exporter, spans.map(readable))
        await exporter.shutdown()
      }
      for (const spans of all.slice(0, 20)) {
        const stored = await vi.waitFor(
          async () => (await store.find(spans[0]!.traceId)) ?? Promise.reject(),
          60_000,
        )
        const text = JSON.stringify(stored)
        expect(text).toContain('leave_out')
        for (const word of [CANARY, WORD, 'transcript', 'say{text'])
          expect(text).not.toContain(word)
        const { counts } = talkOf(stored)!
        expect(counts).toEqual(
          talkOf(traceOf([{ origin: { resource: [], scope: { name: '', version: '' } }, spans }])!)!
            .counts,
        )
      }
      const bytes = bytesIn(folder)
      for (const word of [CANARY, WORD, 'where is my order', 'Please enter'])
        expect(bytes).not.toContain(word)
    },
  )

  it('each account’s as it wants, before and after its name is known', async () => {
    const port = await open()
    const [masks, leaves, keeps, nobody] = [0, 1, 2, 3].map(idOf) as [
      string,
      string,
      string,
      string,
    ]
    await post(port, [hook(masks), status(masks, 'masks'), hook(leaves), status(leaves, 'LEAVES')])
    await post(port, [hook(keeps), status(keeps, 'keeps'), hook(nobody)])
    expect(await textOf(masks)).toContain(WORD)
    expect(await textOf(masks)).not.toContain(CANARY)
    for (const trace of [leaves, nobody])
      expect(await textOf(trace)).not.toMatch(`${WORD}|${CANARY}`)
    expect(await textOf(keeps)).toContain(CANARY)
    // what came before is remembered, in the thread and in what it has stored
    await post(port, [hook(masks), hook(keeps)])
    await store.close()
    const next = await open()
    await post(next, [hook(masks), hook(keeps)])
    if (kind === 'embedded') {
      await expect.poll(() => spansOf(keeps)).toHaveLength(4)
      expect(await count(keeps, CANARY)).toBe(3)
      expect(await count(masks, WORD)).toBe(3)
    }
  })

  it('as changed while it runs', async () => {
    const port = await open(KEEP_ALL)
    await post(port, [hook(idOf(1)), status(idOf(1), 'masks')])
    expect(await textOf(idOf(1))).toContain(CANARY)
    await store.followWords(POLICY)
    // named by what was stored while nobody wanted anything
    await post(port, [hook(idOf(1))])
    expect(await count(idOf(1), WORD)).toBe(2)
    expect(await count(idOf(1), CANARY)).toBe(1)
    await store.followWords(policy({ others: 'mask' }))
    await post(port, [hook(idOf(1))])
    expect(await count(idOf(1), CANARY)).toBe(2)
  })
})

/** As the account that leaves words out. */
function owned(span: TraceSpan): TraceSpan {
  return {
    ...span,
    attributes: span.attributes.map((attribute) =>
      attribute.key === 'accountSid'
        ? { key: 'accountSid', value: { stringValue: 'leaves' } }
        : attribute,
    ),
  }
}

describe.runIf(ownOrClickHouse.length > 1)('while ClickHouse is away', () => {
  it('no word waits on disk', async () => {
    const own = ownClickHouse(folder)
    const away = {
      ...own.settings,
      clickhouse: { ...own.settings.clickhouse, url: 'http://127.0.0.1:9' },
    }
    const store = clickHouseTraceStore({
      ...away,
      listen: [{ host: '127.0.0.1', port: 0 }],
      words: POLICY,
    })
    const [port] = await store.open()
    await post(port!, [hook(idOf(1)), status(idOf(1), 'masks'), hook(idOf(2))])
    await store.close()
    const bytes = bytesIn(folder)
    expect(bytes).toContain('call-status:trying')
    expect(bytes).not.toContain(CANARY)
    const back = clickHouseTraceStore({ ...own.settings, listen: [], words: POLICY })
    await back.open()
    await vi.waitFor(async () => expect(await back.find(idOf(1))).toBeDefined(), 60_000)
    await back.close()
    const db = clickHouse(own.settings.clickhouse)
    for await (const { n } of db.stream<{ n: string }>(
      `SELECT count() AS n FROM spans WHERE body LIKE '%${CANARY}%'`,
    ))
      expect(Number(n)).toBe(0)
    await db.close()
    await own.drop()
  })
})

describe('whose a trace is', () => {
  const batch = (spans: object[]) => [
    { origin: { resource: [], scope: { name: '', version: '' } }, spans: spans as TraceSpan[] },
  ]
  const kept = async (redaction: Redaction, spans: object[]) =>
    JSON.stringify(await redaction.apply(batch(spans)))

  it('is looked up only for spans with words, and only of traces that are not known', async () => {
    const asked: string[] = []
    const redaction = new Redaction(POLICY, async (ids) => {
      asked.push(...ids)
      return new Map(ids.map((trace) => [trace, 'masks']))
    })
    await kept(redaction, [
      span(idOf(1), 'tts-generation'),
      status(idOf(2), 'keeps'),
      hook(idOf(2)),
    ])
    expect(asked).toEqual([])
    expect(await kept(redaction, [hook(idOf(1))])).toContain(WORD)
    await kept(redaction, [hook(idOf(1))])
    expect(asked).toEqual([idOf(1)])
  })

  it('is not asked at all while every account keeps all', async () => {
    expect(new Redaction(KEEP_ALL, () => Promise.reject()).isNeeded).toBe(false)
    expect(new Redaction(POLICY, () => Promise.reject()).isNeeded).toBe(true)
  })

  it('is not known if nobody can be asked, or if it names two', async () => {
    const redaction = new Redaction(policy({ leaves: 'leave_out' }), () =>
      Promise.reject(new Error('away')),
    )
    expect(await kept(redaction, [hook(idOf(1))])).not.toContain(WORD)
    expect(
      await kept(redaction, [status(idOf(2), 'keeps'), status(idOf(2), 'leaves'), hook(idOf(2))]),
    ).not.toContain(WORD)
    expect(
      await kept(redaction, [status(idOf(3), 'keeps'), status(idOf(3), 'keeps'), hook(idOf(3))]),
    ).toContain(CANARY)
  })

  it('is forgotten when too many came since, and is then the strictest', async () => {
    const redaction = new Redaction(policy({ leaves: 'leave_out' }), async () => new Map())
    await kept(redaction, [status(idOf(0), 'keeps')])
    expect(await kept(redaction, [hook(idOf(0))])).toContain(WORD)
    for (let n = 1; n <= 50_000; n += 1_000)
      await redaction.apply(
        batch(Array.from({ length: 1_000 }, (_, i) => status(idOf(n + i), 'keeps'))),
      )
    expect(await kept(redaction, [hook(idOf(0))])).not.toContain(WORD)
  })
})
