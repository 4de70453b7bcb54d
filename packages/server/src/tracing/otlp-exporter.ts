import type { Attributes, HrTime } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

const TIMEOUT_MS = 10_000

type Options = {
  endpoint: string
  headers: Record<string, string>
  /** Attributes of this server. */
  resource: Attributes
  failed: (error: unknown) => void
  worked: () => void
  /** Runs an export outside any span, since it would trace itself. */
  untraced: <T>(work: () => T) => T
}

/** Sends spans to a collector: OTLP over HTTP, in JSON. Spans that it does not take are dropped. */
export function otlpExporter(options: Options): SpanExporter {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
  const pending = new Set<Promise<void>>()
  const post = async (spans: ReadableSpan[]) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(bodyOf(spans, options.resource)),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`The collector answered ${answer.status}`)
  }
  return {
    export(spans, done) {
      const sent: Promise<void> = options
        .untraced(() => post(spans))
        .then(
          () => {
            options.worked()
            done({ code: 0 })
          },
          (error: unknown) => {
            options.failed(error)
            // reported above; the library would log it as well
            done({ code: 0 })
          },
        )
        .finally(() => pending.delete(sent))
      pending.add(sent)
    },
    async forceFlush() {
      await Promise.all(pending)
    },
    async shutdown() {
      await Promise.all(pending)
    },
  }
}

const nanoseconds = ([s, ns]: HrTime) => String(BigInt(s) * 1_000_000_000n + BigInt(ns))

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) },
  }))

/** An ExportTraceServiceRequest. */
const bodyOf = (spans: ReadableSpan[], resource: Attributes) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [
        {
          scope: { name: 'switchroom' },
          spans: spans.map((span) => {
            const { traceId, spanId } = span.spanContext()
            return {
              traceId,
              spanId,
              ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }),
              name: span.name,
              // the protocol counts from one
              kind: span.kind + 1,
              startTimeUnixNano: nanoseconds(span.startTime),
              endTimeUnixNano: nanoseconds(span.endTime),
              attributes: attributesOf(span.attributes),
              status: { code: span.status.code },
            }
          }),
        },
      ],
    },
  ],
})
