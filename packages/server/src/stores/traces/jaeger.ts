import type { TraceStore } from '../traces.ts'
import { StoreUnavailable } from '../unavailable.ts'
import { fromOtlp, jsonOf } from './otlp-json.ts'
import { traceOf } from './span.ts'

const SECONDS = 15
const MAX_BYTES = 64_000_000
const UNREACHABLE = 'The store of traces (Jaeger) cannot be reached'
const UNREADABLE = 'The store of traces (Jaeger) gave no answer that can be read'

/** Traces in the operator's own Jaeger, by version 3 of its query API. */
export function jaegerTraces(url: string, seconds = SECONDS): TraceStore {
  return {
    async find(trace_id) {
      let text: string | undefined
      try {
        text = await fetched(
          `${url}/api/v3/traces/${trace_id}`,
          AbortSignal.timeout(seconds * 1000),
        )
      } catch (cause) {
        if (cause instanceof StoreUnavailable) throw cause
        throw new StoreUnavailable(UNREACHABLE, { cause })
      }
      if (text === undefined) return undefined
      try {
        return traceOf(
          answers(text).flatMap(({ result }) => (result ? fromOtlp(result).batches : [])),
        )
      } catch (cause) {
        throw new StoreUnavailable(UNREADABLE, { cause })
      }
    },
  }
}

type Answer = { result?: unknown }

/** Older ones tell a long trace in several lines. */
function answers(text: string): Answer[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  try {
    return lines.map((line) => jsonOf(line) as Answer)
  } catch {
    return [jsonOf(text) as Answer]
  }
}

/** Undefined: it knows no such trace. */
async function fetched(url: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(url, { redirect: 'error', signal })
  if (!answer.ok) {
    await answer.body?.cancel()
    if (answer.status === 404) return undefined
    throw new StoreUnavailable(`The store of traces (Jaeger) answered ${answer.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new StoreUnavailable('This trace is too long to be shown')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
