import { tellSession } from './session.ts'
import type { Ending, Telling } from './telling.ts'

/** A voice agent at a vendor of language models. What is said there is not in the trace, but in the model's events. */
export function tellAgent(telling: Telling): Ending {
  const { call, random, trace, root, answered_ms } = telling
  const { events, ended_ms } = tellSession(telling)
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
  return random.chance(0.8)
    ? { ended_ms, ended_by: 'caller', events }
    : { ended_ms: ended_ms + 223, ended_by: 'jambonz', events }
}
