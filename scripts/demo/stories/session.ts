import type { Sector } from '../dialogues.ts'
import type { ModelEvent } from '../planned-call.ts'
import { speakingMs } from './speaking.ts'
import { dialogueOf, type Telling } from './telling.ts'

/** Tools of agents, and their results. */
const TOOLS: Record<Sector, { name: string; arguments: object; result: object }> = {
  hospitality: {
    name: 'find_table',
    arguments: { people: 4, day: 'Saturday', time: '19:30' },
    result: { free: true, table: 'by the window' },
  },
  health: {
    name: 'find_appointment',
    arguments: { kind: 'check-up', urgent: false },
    result: { day: 'Thursday', time: '10:15' },
  },
  finance: {
    name: 'open_claim',
    arguments: { kind: 'theft', when: 'yesterday evening' },
    result: { claim: 'opened', adviser: 'will call back' },
  },
  delivery: {
    name: 'order_status',
    arguments: { order: 'five five zero one seven' },
    result: { state: 'on its way', arrives: 'today before six' },
  },
  utility: {
    name: 'report_fault',
    arguments: { kind: 'no power', area: 'known fault' },
    result: { mended_by: '16:00' },
  },
}

/** Agents of larger accounts have the larger model. */
const modelOf = (size: number) => (size > 8 ? 'gpt-realtime' : 'gpt-realtime-mini')

/** Tells a session with a language model, event by event, as OpenAI tells it. Resolves to when it is over. */
export function tellSession({ call, random, answered_ms, speech }: Telling) {
  const events: ModelEvent[] = []
  const { turns, farewell } = dialogueOf(call)
  const { sector, size } = call.account
  let at = answered_ms + 300
  let context = random.int(350, 900)
  let n = 0
  const tell = (ms: number, event: object) => events.push({ at: Math.round(ms), event })
  const done = (said: number) => {
    const input = context + random.int(20, 90)
    const cached = n > 1 ? Math.floor(context / 128) * 128 : 0
    context = input + said
    return {
      input_tokens: input,
      output_tokens: said,
      input_token_details: { cached_tokens: cached },
    }
  }
  const respond = (status: string, said: number, more: object = {}) =>
    tell(at, {
      type: 'response.done',
      response: { id: `response-${n}`, status, usage: done(said), ...more },
    })
  const speak = (text: string, cut: boolean) => {
    n++
    const begins = at
    const whole = speakingMs(text, random)
    const ends = begins + (cut ? whole * 0.45 : whole)
    tell(begins, { type: 'output_audio.playback_started' })
    tell(begins + 120, {
      ...{ type: 'response.output_audio_transcript.done', response_id: `response-${n}` },
      transcript: text,
    })
    at = begins + 150
    respond('completed', Math.round(text.length * random.int(2, 4)))
    speech.push({ side: 'platform', from: begins, to: ends })
    if (!cut) tell(ends, { type: 'output_audio.playback_stopped' })
    at = ends
  }
  const hear = (text: string, cuts: boolean) => {
    const item_id = `item-${n}`
    const begins = cuts ? at : at + random.skewed(800, 0.4)
    const ends = begins + speakingMs(text, random)
    tell(begins, { type: 'input_audio_buffer.speech_started', item_id })
    if (cuts) tell(begins + 40, { type: 'conversation.item.truncated', item_id })
    tell(ends, { type: 'input_audio_buffer.speech_stopped', item_id })
    tell(ends + 240, {
      type: 'conversation.item.input_audio_transcription.completed',
      ...{ item_id, transcript: text },
    })
    speech.push({ side: 'caller', from: begins, to: ends })
    at = ends + random.skewed(650, 0.3)
  }
  const useTool = () => {
    const { name, arguments: args, result } = TOOLS[sector]
    const call_id = `call-${n}`
    const item = { type: 'function_call', call_id, name, arguments: JSON.stringify(args) }
    tell(at, { type: 'response.output_item.done', item })
    n++
    respond('completed', random.int(20, 60))
    at += random.skewed(700, 0.5)
    const output = JSON.stringify(random.chance(0.1) ? { error: 'Timed out' } : result)
    tell(at, {
      type: 'conversation.item.created',
      item: { type: 'function_call_output', call_id, output },
    })
    at += random.int(150, 500)
  }

  tell(at - 200, { type: 'session.created', session: { model: modelOf(size) } })
  const leaves = random.chance(0.3) ? random.int(1, turns.length) : turns.length
  for (const [i, { says, hears }] of turns.slice(0, leaves).entries()) {
    const isCut = i > 0 && random.chance(0.25)
    speak(says, isCut)
    hear(random.pick(hears), isCut)
    if (i === 1) useTool()
    if (i === 1 && random.chance(0.3)) {
      n++
      respond('failed', 0, {
        status_details: {
          error: { code: 'server_error', message: 'The server had an error. It was tried again.' },
        },
      })
      at += random.int(300, 900)
    }
  }
  if (leaves === turns.length) speak(farewell, false)
  return { events, ended_ms: Math.round(at + 400) }
}
