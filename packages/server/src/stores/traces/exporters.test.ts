import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { JaegerExporter } from '@opentelemetry/exporter-jaeger'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { ZipkinExporter } from '@opentelemetry/exporter-zipkin'
import { Resource } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import type { SpanValue, TraceSpan } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import { testTraces } from '../../../test/traces.ts'

/** The exporters that platform components use, against the ports they would send to. */
let store: Awaited<ReturnType<typeof testTraces>>
let otlp: string
let jaeger: string

type Fidelity = { exact: 'ns' | 'µs'; types: boolean; kinds: boolean }
const exporters: Record<string, { make: () => SpanExporter } & Fidelity> = {
  'OTLP in JSON': {
    make: () => new JsonExporter({ url: `${otlp}/v1/traces` }),
    exact: 'ns',
    types: true,
    kinds: true,
  },
  'OTLP in packed protobuf': {
    make: () => new ProtobufExporter({ url: `${otlp}/v1/traces`, compression: 'gzip' as never }),
    exact: 'ns',
    types: true,
    kinds: true,
  },
  'Jaeger in Thrift': {
    make: () => new JaegerExporter({ endpoint: `${jaeger}/api/traces` }),
    exact: 'µs',
    types: true,
    kinds: true,
  },
  Zipkin: {
    make: () => new ZipkinExporter({ url: `${jaeger}/api/v2/spans` }),
    exact: 'µs',
    types: false,
    kinds: true,
  },
}

/** A call as the feature server reports it. */
async function call(exporter: SpanExporter) {
  const exported: ReadableSpan[] = []
  const provider = new NodeTracerProvider({
    resource: new Resource({ 'service.name': 'feature-server', 'host.name': 'fs ü' }),
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void exported.push(span),
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
      new BatchSpanProcessor(exporter, { maxExportBatchSize: 10, scheduledDelayMillis: 20 }),
    ],
  })
  const tracer = provider.getTracer('jambonz', '0.9.4')
  const root = tracer.startSpan('incoming-call', {
    attributes: { callSid: 'abc', finalStatus: 200, share: 0.25 },
  })
  const below = trace.setSpan(context.active(), root)
  for (let i = 0; i < 25; i++) {
    const verb = tracer.startSpan(`verb:say{"text":"…${i} 😀"}`, { kind: SpanKind.CLIENT }, below)
    const tts = tracer.startSpan('tts-generation', {}, trace.setSpan(below, verb))
    tts.setAttributes({
      'tts.vendor': 'google',
      'tts.cached': i % 2 === 0,
      time_to_first_byte_ms: '123',
      'http.body': JSON.stringify({ reason: 'speechDetected', text: 'a"\\\n\u0000😀' }),
    })
    tts.end()
    verb.end()
  }
  root.end()
  await provider.forceFlush()
  await provider.shutdown()
  return exported
}

const nanos = ([seconds, ns]: [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(ns)
const plain = (value: SpanValue) =>
  value.stringValue ??
  value.boolValue ??
  (value.intValue === undefined ? value.doubleValue : Number(value.intValue))

describe.each(ownOrClickHouse)('sent to %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-traces-'))
  beforeAll(async () => {
    store = await testTraces(kind, folder)
    ;[otlp, jaeger] = store.ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(Object.entries(exporters))('%s', (_, { make, exact, types, kinds }) => {
    let exported: ReadableSpan[]
    let spans: TraceSpan[]
    beforeAll(async () => {
      exported = await call(make())
      const storedSpans = async () => {
        const found = await store.find(exported[0]!.spanContext().traceId)
        spans = found?.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)) ?? []
        return spans.length
      }
      // an exporter's flush does not wait for the batches that are under way already
      await vi.waitFor(async () => expect(await storedSpans()).toBe(exported.length), 60_000)
    })

    it('sends every span, with its parent, name and kind', () => {
      const wanted = exported.map((span) => ({
        traceId: span.spanContext().traceId,
        spanId: span.spanContext().spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: kinds && span.kind === SpanKind.CLIENT ? 'SPAN_KIND_CLIENT' : 'SPAN_KIND_INTERNAL',
      }))
      const got = spans.map(({ traceId, spanId, parentSpanId, name, kind }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
      }))
      const bySpanId = (a: { spanId: string }, b: { spanId: string }) =>
        a.spanId.localeCompare(b.spanId)
      expect(got.sort(bySpanId)).toEqual(wanted.sort(bySpanId))
      expect(got).toHaveLength(51)
    })

    it('sends the times as exactly as the format can', () => {
      for (const span of exported) {
        const got = spans.find(({ spanId }) => spanId === span.spanContext().spanId)!
        const off = (text: string, time: [number, number]) => {
          const by = BigInt(text) - nanos(time)
          return by < 0n ? -by : by
        }
        const most = exact === 'ns' ? 0n : 1_000n
        expect(off(got.startTimeUnixNano, span.startTime)).toBeLessThanOrEqual(most)
        expect(off(got.endTimeUnixNano, span.endTime)).toBeLessThanOrEqual(2n * most)
      }
    })

    it('sends the attributes, with types if the format has any', () => {
      for (const span of exported) {
        const got = spans.find(({ spanId }) => spanId === span.spanContext().spanId)!
        const values = Object.fromEntries(
          got.attributes.map(({ key, value }) => [key, plain(value)]),
        )
        for (const [key, value] of Object.entries(span.attributes)) {
          const wanted = types || key === 'tts.cached' ? value : String(value)
          expect(values[key], key).toBe(wanted)
        }
      }
    })

    it('names the service that sent it', async () => {
      const { resourceSpans } = (await store.find(exported[0]!.spanContext().traceId))!
      expect(resourceSpans).toHaveLength(1)
      expect(resourceSpans[0]!.resource.attributes).toContainEqual({
        key: 'service.name',
        value: { stringValue: 'feature-server' },
      })
      expect(resourceSpans[0]!.instrumentationLibrarySpans).toEqual(resourceSpans[0]!.scopeSpans)
    })
  })

  it('counts received spans', async () => {
    expect(await store.ingested()).toMatchObject({
      spans: { otlp_json: 51, otlp_protobuf: 51, jaeger: 51, zipkin: 51 },
      dropped: { malformed: 0, unreadable: 0 },
    })
  })
})
