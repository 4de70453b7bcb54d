import { SpanKind, TraceFlags } from '@opentelemetry/api'
import { JaegerExporter } from '@opentelemetry/exporter-jaeger'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { ZipkinExporter } from '@opentelemetry/exporter-zipkin'
import { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { SpanValue, TraceSpan } from '@switchroom/contract'

/** The exporters that the feature server can be set to, to where each sends. */
export const exporters: Record<string, (otlp: string, jaeger: string) => SpanExporter[]> = {
  'OTLP in JSON': (otlp) => [new JsonExporter({ url: `${otlp}/v1/traces` })],
  'OTLP in protobuf': (otlp) => [
    new ProtobufExporter({ url: `${otlp}/v1/traces`, compression: 'gzip' as never }),
  ],
  'Jaeger in Thrift': (_, jaeger) => [new JaegerExporter({ endpoint: `${jaeger}/api/traces` })],
  // the feature server registers it twice
  Zipkin: (_, jaeger) => [0, 1].map(() => new ZipkinExporter({ url: `${jaeger}/api/v2/spans` })),
}

const plain = ({ stringValue, boolValue, intValue, doubleValue }: SpanValue) =>
  stringValue ?? boolValue ?? doubleValue ?? Number(intValue)

const hrTime = (nanos: bigint): [number, number] => [
  Number(nanos / 1_000_000_000n),
  Number(nanos % 1_000_000_000n),
]

const resource = new Resource({ 'service.name': 'jambonz' })

/** A span as the SDK hands it to an exporter. */
export function readable(span: TraceSpan): ReadableSpan {
  const start = BigInt(span.startTimeUnixNano)
  const end = BigInt(span.endTimeUnixNano)
  return {
    name: span.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => ({
      traceId: span.traceId,
      spanId: span.spanId,
      traceFlags: TraceFlags.SAMPLED,
    }),
    ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
    startTime: hrTime(start),
    endTime: hrTime(end),
    duration: hrTime(end - start),
    status: { code: 0 },
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationLibrary: { name: 'jambonz', version: '0.9.8' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Sends spans and waits until they are taken. */
export function exportAll(exporter: SpanExporter, spans: ReadableSpan[]) {
  return new Promise<void>((done, fail) => {
    exporter.export(spans, ({ code, error }) => (code === 0 ? done() : fail(error)))
  })
}
