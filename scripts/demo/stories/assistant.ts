import { recognized, say, speakingMs } from './speaking.ts'
import { dialogueOf, type Ending, type Telling } from './telling.ts'

const GATHER = 'verb:gather{inputs=speech,vendor=default,language=default,with nested say task}'

/** A conversation: the application asks, the caller answers, turn by turn. */
export function tellAssistant(telling: Telling): Ending {
  const { call, random, trace, root, answered_ms } = telling
  const { path, turns, farewell } = dialogueOf(call)
  let at = answered_ms + 2
  trace.add('verb:config{notifySttLatency on}', root, at, at + 1)
  const leaves = random.chance(0.22) ? random.int(0, turns.length - 1) : turns.length
  for (const [n, turn] of turns.entries()) {
    at += random.int(3, 8)
    const mute = random.chance(0.05)
    if (mute) at = timeout(telling, turn.says, path, at)
    const prompt = n === 0 || !mute ? turn.says : `Sorry, I did not hear you. ${turn.says}`
    if (n === leaves) return hangsUp(telling, prompt, at)
    const next = exchange(telling, prompt, random.pick(turn.hears), path, at)
    if (next.gave_up_ms) return { ended_ms: next.gave_up_ms, ended_by: 'caller' }
    if (next.failed) return { ended_ms: next.at, ended_by: 'jambonz' }
    at = next.at
  }
  at = say(telling, { text: farewell, parent: root, at: at + 5, prefix: 'verb:' })
  trace.add('verb:hangup', root, at + 1, at + 3)
  return { ended_ms: at + 2, ended_by: 'jambonz' }
}

type Exchange = { at: number; gave_up_ms?: number; failed?: boolean }

/** One turn: prompt, answer, recognition, and the webhook that decides what is next. */
function exchange(
  telling: Telling,
  prompt: string,
  transcript: string,
  path: string,
  at: number,
): Exchange {
  const { call, random, trace, root, answered_ms, speech, alerts } = telling
  const gather = trace.add(GATHER, root, at, at)
  const spoken = say(telling, { text: prompt, parent: gather, at: at + 1, prefix: 'nested:' })
  const begins = spoken + Math.round(random.skewed(700, 0.4))
  const ends = begins + speakingMs(transcript, random)
  speech.push({ side: 'caller', from: begins, to: ends })
  const latency = Math.round(random.skewed(390, 0.2))
  const resolved = ends + latency
  const hook = Math.round(random.skewed(random.chance(0.03) ? 4_200 : 520, 0.4))
  const fails = random.chance(0.0015)
  const confidence = Math.round(random.int(78, 98)) / 100
  const answered = resolved + (fails ? 10_003 : Math.min(hook, 9_500))
  const second = (ms: number) => Math.floor((call.at + ms) / 1_000)
  const reason = { reason: 'speechDetected', callSid: call.call_sid }
  trace.add(`verb:hook (/${path})`, gather, resolved, answered, {
    'http.body': JSON.stringify({
      ...reason,
      speech: { alternatives: [{ confidence, transcript }] },
      stt_latency_ms: String(latency),
    }),
    ...(!fails && { 'http.statusCode': 200 }),
  })
  Object.assign(trace.spans.find(({ id }) => id === gather)!, {
    end: answered + 2,
    attributes: {
      channel: 1,
      'stt.resolve': 'speech',
      ...recognized(telling, transcript, confidence),
      'stt.latency_ms': String(latency),
      'stt.talkspurts': JSON.stringify([[second(begins), second(ends)]]),
      'stt.start_time': second(answered_ms),
      'stt.stop_time': second(resolved),
      'stt.usage': ((resolved - at) / 1_000).toFixed(2),
    },
  })
  if (fails) {
    alerts.push({
      type: 'webhook-connection-failure',
      message: call.application!.url,
      detail: 'No answer within 10 seconds',
    })
    return { at: answered + 4, failed: true }
  }
  // a caller who waits too long leaves
  const left = resolved + 3_600
  return hook > 4_000 && random.chance(0.5) ? { at: left, gave_up_ms: left } : { at: answered + 4 }
}

/** Nobody says anything. */
function timeout(telling: Telling, prompt: string, path: string, at: number) {
  const { random, trace, root } = telling
  const gather = trace.add(GATHER, root, at, at)
  const spoken = say(telling, { text: prompt, parent: gather, at: at + 1, prefix: 'nested:' })
  const resolved = spoken + 5_000
  const answered = resolved + random.int(180, 420)
  trace.add(`verb:hook (/${path})`, gather, resolved, answered, {
    'http.body': JSON.stringify({ reason: 'timeout' }),
    'http.statusCode': 200,
  })
  Object.assign(trace.spans.find(({ id }) => id === gather)!, {
    end: answered + 2,
    attributes: { channel: 1, 'stt.label': 'None', 'stt.resolve': 'timeout' },
  })
  return answered + 4
}

function hangsUp(telling: Telling, prompt: string, at: number): Ending {
  const { random, trace, root } = telling
  const gather = trace.add(GATHER, root, at, at)
  const spoken = say(telling, { text: prompt, parent: gather, at: at + 1, prefix: 'nested:' })
  const ended_ms = spoken + random.int(400, 3_500)
  Object.assign(trace.spans.find(({ id }) => id === gather)!, {
    end: ended_ms + 3,
    attributes: { channel: 1, 'stt.label': 'None', 'stt.resolve': 'killed' },
  })
  return { ended_ms, ended_by: 'caller' }
}
