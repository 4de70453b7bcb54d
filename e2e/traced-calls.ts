import type { TraceSpan } from '@switchroom/contract'
import { expect } from 'vitest'
import { call, span } from '../packages/server/test/conversations/example.ts'
import { asSpans, type Example, examples } from '../packages/server/test/conversations.ts'
import { caseCount } from '../packages/server/test/trust.ts'

// calls as the platform sends them: their records and their traces

export const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const TURNS = caseCount(500, 2_000)

/** A call of many turns, as one that somebody forgot to end. */
export const endless: Pick<Example, 'spans'> = {
  spans: [
    call(TURNS * 3_000),
    ...Array.from({ length: TURNS }, (_, i) => {
      const at = 300 + i * 3_000
      return [
        span(`g${i}`, 'a', at, 1_000, 'verb:gather{inputs=speech}', {
          'stt.resolve': 'speech',
          'stt.result': JSON.stringify({ alternatives: [{ transcript: `I say ${i + 1}` }] }),
          'stt.latency_ms': '200',
        }),
        span(`h${i}`, `g${i}`, at + 800, 200, 'verb:hook (/turn)', { 'http.statusCode': 200 }),
        span(`s${i}`, 'a', at + 1_005, 1_900, `verb:say{text=You said ${i + 1}}`),
        span(`t${i}`, `s${i}`, at + 1_006, 100, 'tts-generation', { 'tts.cached': false }),
      ]
    }).flat(),
  ],
}

/** Throws for an example that there is none of. */
export const named = (name: string) => {
  const example = examples.find((e) => e.name === name)
  if (!example) throw new Error(`No example ${name}`)
  return example
}
export const sidOf = (n: number) => `0c1d2e3f-0000-4000-8000-${String(n).padStart(12, '0')}`
export const traceOf = (n: number) => String(n + 1).padStart(32, 'a')

/** Sends the records of calls of now, or of `ago` milliseconds before, each a millisecond before the one of the number before. */
export async function sendCalls(
  port: number,
  which: readonly number[],
  application_sid?: string,
  ago = 0,
) {
  // read once: records of the same millisecond would replace each other
  const now = Date.now() - ago
  const lines = which.map(
    (n) =>
      `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,trunk=North ` +
      `call_sid="${sidOf(n)}",sip_callid="${n}@pbx",from="15085551000",to="442079460958",` +
      `${application_sid ? `application_sid="${application_sid}",` : ''}` +
      `${ago > 0 ? `terminated_at=${now - n + 47_000},` : ''}` +
      `duration=47,sip_status=200,trace_id="${traceOf(n)}" ${now - n}000000`,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

async function sendSpans(port: number, spans: TraceSpan[]) {
  const body = JSON.stringify({
    resourceSpans: [{ scopeSpans: [{ spans: spans.map((s) => ({ ...s, kind: 1 })) }] }],
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers,
    body,
  })
  expect(answer.status, await answer.text()).toBe(200)
}

/** Sends an example's spans as the trace of a call. */
export async function sendTrace(port: number, example: Pick<Example, 'spans'>, n: number) {
  const spans = asSpans(example, traceOf(n))
  for (let from = 0; from < spans.length; from += 1_000)
    await sendSpans(port, spans.slice(from, from + 1_000))
}
