import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import { checkConversation } from '../../../test/conversations/check.ts'
import { asSpans, examples } from '../../../test/conversations.ts'
import { exportAll, exporters, readable } from '../../../test/exported-spans.ts'
import { testTraces } from '../../../test/traces.ts'
import { conversationOf } from '../../talk/conversation.ts'

// an exporter cannot send a span that ends before it starts
const sent = examples.filter(({ spans }) => spans.every(({ duration }) => duration >= 0))

describe.each(ownOrClickHouse)('sent to %s', (kind) => {
  let store: Awaited<ReturnType<typeof testTraces>>
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-conversations-'))
  beforeAll(async () => {
    store = await testTraces(kind, folder)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.keys(exporters).map((name, i) => [name, i] as const))(
    'the examples are told as they were, through the exporter of %s',
    async (name, i) => {
      const [otlp, jaeger] = store.ports.map((port) => `http://127.0.0.1:${port}`)
      const traceIdOf = (n: number) => `${i + 1}${String(n + 1).padStart(31, '0')}`
      const all = sent.flatMap((example, n) => asSpans(example, traceIdOf(n)).map(readable))
      for (const exporter of exporters[name]!(otlp!, jaeger!)) {
        // the SDK sends a few at a time, in the order in which they end
        for (let from = 0; from < all.length; from += 200)
          await exportAll(exporter, all.slice(from, from + 200))
        await exporter.shutdown()
      }
      for (const [n, example] of sent.entries()) {
        const find = async () => {
          const trace = await store.find(traceIdOf(n))
          const spans = trace?.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans))
          expect(spans, example.name).toHaveLength(new Set(example.spans.map(({ id }) => id)).size)
          return trace!
        }
        checkConversation(example, conversationOf(await vi.waitFor(find, 60_000)))
      }
    },
  )
})
