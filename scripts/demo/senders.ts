import { once } from 'node:events'
import { connect } from 'node:net'
import type { Span } from './stories/trace.ts'

/** Senders of the platform's components, for the ports that take call data in. */

const SPANS_AT_ONCE = 2_000
const LINES_AT_ONCE = 1_000
const AT_ONCE = 4

async function post(url: string, body: string, type: string) {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Sends parts, some at the same time. */
async function inTurn<T>(parts: T[], send: (part: T) => Promise<void>) {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < parts.length) await send(parts[next++]!)
    }),
  )
}

function partsOf<T>(all: readonly T[], size: number) {
  const parts: T[][] = []
  for (let i = 0; i < all.length; i += size) parts.push(all.slice(i, i + size))
  return parts
}

/** Sends call records or alerts in InfluxDB's line protocol. */
export const sendLines = (port: number, database: 'cdrs' | 'alerts', lines: readonly string[]) =>
  inTurn(partsOf(lines, LINES_AT_ONCE), (part) =>
    post(
      `http://127.0.0.1:${port}/write?db=${database}&precision=n&rp=`,
      part.join('\n'),
      'text/plain',
    ),
  )

export type Trace = { trace_id: string; at: number; spans: readonly Span[] }

/** Sends spans as OTLP in JSON. */
export const sendTraces = (port: number, traces: readonly Trace[]) => {
  const spans = traces.flatMap(({ trace_id, at, spans }) =>
    spans.map((span) => ({
      traceId: trace_id,
      spanId: span.id,
      ...(span.parent && { parentSpanId: span.parent }),
      name: span.name,
      kind: 1,
      startTimeUnixNano: `${Math.round(at + span.start)}000000`,
      endTimeUnixNano: `${Math.round(at + span.end)}000000`,
      attributes: Object.entries(span.attributes).map(([key, value]) => ({
        key,
        value:
          typeof value === 'string'
            ? { stringValue: value }
            : typeof value === 'boolean'
              ? { boolValue: value }
              : { intValue: value },
      })),
    })),
  )
  const resource = {
    attributes: [
      { key: 'service.name', value: { stringValue: 'jambonz-feature-server' } },
      { key: 'service.version', value: { stringValue: '0.9.8' } },
    ],
  }
  const scope = { name: 'jambonz-feature-server', version: '0.9.8' }
  return inTurn(partsOf(spans, SPANS_AT_ONCE), (part) =>
    post(
      `http://127.0.0.1:${port}/v1/traces`,
      JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: part }] }] }),
      'application/json',
    ),
  )
}

/** Sends HEP frames over TCP, which loses none when many are sent at once. */
export async function sendFrames(port: number, frames: readonly Buffer[]) {
  if (frames.length === 0) return
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (const part of partsOf(frames, 500))
    if (!socket.write(Buffer.concat(part))) await once(socket, 'drain')
  socket.end()
  await once(socket.resume(), 'close')
}
