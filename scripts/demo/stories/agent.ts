import type { Ending, Telling } from './telling.ts'

/** A voice agent at a vendor of language models. What is said there is not in the trace. */
export function tellAgent(telling: Telling): Ending {
  const { call, random, trace, root, answered_ms, speech } = telling
  const ended_ms = answered_ms + Math.min(600_000, Math.round(random.skewed(120_000, 0.6)))
  const name = 'Llm_OpenAI_s2s'
  const verb = trace.add(`verb:${name}`, root, answered_ms + 2, ended_ms + 220, {
    'verb.summary': name,
  })
  trace.add('verb:hook (/done)', verb, ended_ms + 6, ended_ms + random.int(90, 210), {
    'http.body': JSON.stringify({
      completionReason: 'normal conversation end',
      callSid: call.call_sid,
    }),
    'http.statusCode': 200,
  })
  let side: 'caller' | 'platform' = 'platform'
  for (let t = answered_ms + 700; t < ended_ms; ) {
    const lasts = random.int(1_500, 5_500)
    speech.push({ side, from: t, to: Math.min(ended_ms, t + lasts) })
    side = side === 'caller' ? 'platform' : 'caller'
    t += lasts + random.int(300, 1_000)
  }
  return random.chance(0.8)
    ? { ended_ms, ended_by: 'caller' }
    : { ended_ms: ended_ms + 223, ended_by: 'jambonz' }
}
