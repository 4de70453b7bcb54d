import { t } from '@switchroom/contract'
import { bodyWithin, reachable, withTimeout } from '../../kit/external.ts'
import { StoreUnavailable } from '../../kit/unavailable.ts'
import { fromOtlp, jsonOf, objectOf } from '../otlp-json.ts'
import { traceOf } from '../span.ts'
import type { TraceStore } from '../store.ts'

const MAX_BYTES = 64_000_000
const NAME = t('The traces (Jaeger)')

/** Traces in the operator's own Jaeger, from version 3 of its query API. */
export function jaegerTraces(url: string, seconds?: number) {
  const jaeger = { name: NAME, ...(seconds && { seconds }) }
  return {
    ping: () => reachable(jaeger, `${url}/`),
    async find(trace_id: string) {
      const text = await withTimeout(jaeger, (signal) =>
        fetchTrace(`${url}/api/v3/traces/${trace_id}`, signal),
      )
      if (text === undefined) return undefined
      try {
        return traceOf(
          parseResponse(text).flatMap(({ result }) => (result ? fromOtlp(result).batches : [])),
        )
      } catch (cause) {
        throw new StoreUnavailable(t('{name} cannot be read', { name: NAME }), { cause })
      }
    },
  } satisfies TraceStore & { ping: () => Promise<void> }
}

/** Older versions send a long trace in several lines. */
function parseResponse(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  try {
    return lines.map((line) => objectOf(jsonOf(line)))
  } catch {
    return [objectOf(jsonOf(text))]
  }
}

/** Undefined if there is no such trace. */
async function fetchTrace(url: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(url, { redirect: 'error', signal })
  if (!answer.ok) {
    await answer.body?.cancel()
    if (answer.status === 404) return undefined
    throw new StoreUnavailable(t('{name} answered {status}', { name: NAME, status: answer.status }))
  }
  return (await bodyWithin(MAX_BYTES, answer, t('This trace is too large to show'))).toString()
}
