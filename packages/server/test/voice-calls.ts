import {
  answered,
  call,
  type ExampleSpan,
  gather,
  hook,
  key,
  over,
  prompt,
  recording,
  result,
  say,
  tts,
} from './conversations/example.ts'

type Random = (n: number) => number

/** One turn of a caller, as it was generated. */
export type MadeTurn = {
  not_understood: boolean
  timed_out: boolean
  failed: boolean
  hung_up: boolean
  /** Undefined if nobody knows which, or there was none. */
  recognizer: { vendor: string; language: string } | undefined
  /** Undefined if the trace does not show its first audio. */
  answer: MadeAnswer | undefined
}
export type MadeAnswer = {
  vendor: string
  voice: string
  /** From the result of listening. */
  ms: number
  /** From when the caller had finished. Undefined if nobody knows. */
  response_ms: number | undefined
  parts: Record<string, number>
}
export type MadePrompt = { vendor: string; voice: string; cached: boolean; first_audio: number }
export type MadeRequest = { service: 'recognition' | 'voice'; vendor: string; failed: boolean }

/** A call, and the figures that must result. */
export type MadeCall = {
  spans: ExampleSpan[]
  ended_by: 'caller' | 'application'
  turns: MadeTurn[]
  /** Undefined: of a voice that the trace does not name. */
  prompts: (MadePrompt | undefined)[]
  requests: MadeRequest[]
}

const RECOGNIZERS = ['google', 'deepgram', 'azure']
const LANGUAGES = ['en-US', 'de-DE']
const VOICES = [
  ['google', 'Wavenet-C'],
  ['google', 'Wavenet-D'],
  ['elevenlabs', 'EXv1'],
  ['polly', 'Joanna'],
] as const
/** How often each outcome is, among twelve. */
const OUTCOMES = [
  ...['speech', 'speech', 'speech', 'speech', 'vague', 'low', 'timeout', 'timeout of default'],
  ...['error', 'fallback', 'digits', 'several'],
] as const

/** Generates a call of some turns. One in thirty is silent. */
export function madeCall(random: Random, call_sid: string): MadeCall {
  const pick = <T>(from: readonly T[]) => from[random(from.length)]!
  const some = (least: number, most: number) => least + random(most - least)
  let ids = 0
  const id = () => `x${++ids}`
  const made: MadeCall = {
    spans: [],
    ended_by: pick(['caller', 'application']),
    turns: [],
    prompts: [],
    requests: [],
  }
  /** End of the course so far. */
  let at = 240
  /** The turn that was not answered yet, the time of its result, if shown, and the webhook, until it had answered. */
  let waiting:
    | { turn: MadeTurn; before: Record<string, number> | undefined; webhook: number; since: number }
    | undefined

  function respond(start: number, voice_ms: number, vendor: string, voice: string) {
    if (!waiting) return
    const { turn, before, webhook, since } = waiting
    const after = { webhook, hand_over: start - since, voice: voice_ms }
    const sum = (parts: Record<string, number>) =>
      Object.values(parts).reduce((ms, part) => ms + part, 0)
    turn.answer = {
      vendor,
      voice,
      ms: sum(after),
      response_ms: before && sum({ ...before, ...after }),
      parts: { ...before, ...after },
    }
  }

  /** Says something, as a verb or as the prompt of a gather. Returns when that ends. */
  function speak(start: number, below?: string) {
    const own = id()
    const duration = some(3_000, 5_000)
    made.spans.push(
      below
        ? prompt(own, below, start, duration, 'Please say it...')
        : say(own, start, duration, 'Here is what y...'),
    )
    const kind = random(20)
    // no request, as of a stream
    if (kind === 0) made.prompts.push(undefined)
    else {
      const [vendor, voice] = pick(VOICES)
      const took = some(2, 1_500)
      let begins = start + 1
      const request = (of: readonly [string, string], ms: number, cached: boolean | null) => {
        const names = { 'tts.vendor': of[0], 'tts.voice': of[1] }
        made.spans.push(tts(id(), own, begins, ms, cached, names))
        begins += ms
        if (cached !== true)
          made.requests.push({ service: 'voice', vendor: of[0], failed: cached === null })
      }
      // another voice takes its place
      if (kind === 1) request(pick(VOICES.filter(([other]) => other !== vendor)), 300, null)
      if (kind === 2) request([vendor, voice], took, null)
      else {
        const cached = kind > 12
        request([vendor, voice], took, cached)
        const first_audio = begins - start
        made.prompts.push({ vendor, voice, cached, first_audio })
        respond(start, first_audio, vendor, voice)
      }
    }
    waiting = undefined
    return start + duration
  }

  /** Listens once. Returns when the caller hung up while waiting. */
  function listen(path: string, isPrompted: boolean, canHangUp: boolean): number | undefined {
    const own = id()
    const start = at + some(3, 12)
    const heardFrom = isPrompted ? speak(start + 2, own) : start
    const vendor = pick(RECOGNIZERS)
    const language = pick(LANGUAGES)
    const latency = some(100, 900)
    const webhook = some(80, 3_000)
    const resolved = heardFrom + some(1_500, 4_000)
    const outcome = pick(OUTCOMES)
    const by = outcome === 'fallback' ? pick(RECOGNIZERS.filter((one) => one !== vendor)) : vendor
    const named = (resolve: string, confidence: number, latencies = String(latency)) =>
      gather(
        own,
        start,
        resolved + webhook - start,
        `inputs=speech,vendor=${vendor},language=${language}`,
        resolve,
        { ...result('my order', confidence, by, language), 'stt.latency_ms': latencies },
      )
    const unheard = (resolve: string, options: string) =>
      gather(own, start, resolved + webhook - start, options, resolve)
    const ofVendor = `inputs=speech,vendor=${vendor},language=${language}`
    made.spans.push(
      {
        speech: () => named('speech', 0.93),
        vague: () => named('speech', 0.3),
        low: () => named('stt-low-confidence', 0.2),
        timeout: () => unheard('timeout', ofVendor),
        'timeout of default': () => unheard('timeout', 'inputs=speech,vendor=default'),
        error: () => unheard('stt-error', ofVendor),
        fallback: () => named('speech', 0.9),
        digits: () => unheard('dtmf-num-digits', 'inputs=digits'),
        // nobody knows when the caller had finished
        several: () => named('speech', 0.9, '300,200'),
      }[outcome](),
      hook(id(), own, resolved, webhook, path, { reason: 'result' }),
    )
    if (outcome === 'digits') made.spans.push(key(id(), 'r', resolved - latency, '2'))
    const hasRecognizer = outcome !== 'digits' && outcome !== 'timeout of default'
    if (hasRecognizer)
      made.requests.push({ service: 'recognition', vendor: by, failed: outcome === 'error' })
    if (by !== vendor) made.requests.push({ service: 'recognition', vendor, failed: true })
    const first = outcome === 'digits' ? 'digits' : 'recognition'
    const isShown = ['speech', 'vague', 'low', 'fallback', 'digits'].includes(outcome)
    const turn: MadeTurn = {
      not_understood: outcome === 'low',
      timed_out: outcome === 'timeout' || outcome === 'timeout of default',
      failed: outcome === 'error',
      hung_up: false,
      recognizer: hasRecognizer ? { vendor: by, language } : undefined,
      answer: undefined,
    }
    made.turns.push(turn)
    isVague = outcome === 'vague'
    at = resolved + webhook
    const before = isShown ? { [first]: latency } : undefined
    waiting = { turn, before, webhook, since: at }
    if (!canHangUp || random(3) > 0) return undefined
    const hangup = resolved + some(1, webhook)
    turn.hung_up = hangup - resolved + (isShown ? latency : 0) >= 1_000
    return hangup
  }

  let isVague = false
  let path = '/0'
  let isPrompted = false
  let hangup: number | undefined
  const turns = random(30) === 0 ? 0 : 2 + random(6)
  if (turns > 0) at = speak(at) + 1
  for (let i = 1; i <= turns && hangup === undefined; i++) {
    hangup = listen(path, isPrompted, i === turns)
    if (hangup !== undefined) break
    isPrompted = i < turns && random(3) === 0
    // with a prompt and the same webhook, the next asks for the same again
    if (isPrompted && isVague) made.turns.at(-1)!.not_understood = true
    else path = `/${i}`
    if (!isPrompted) at = speak(at + some(3, 12)) + 1
  }
  if (hangup !== undefined) made.ended_by = 'caller'
  const end = hangup ?? at + 100
  made.spans.push(
    call(end + 30, { callSid: call_sid }),
    answered(200),
    recording(210, end - 210),
    over(end, made.ended_by === 'caller' ? 'caller' : 'jambonz'),
  )
  return made
}
