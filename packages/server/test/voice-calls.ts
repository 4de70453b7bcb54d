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
  talk: MadeTalk | undefined
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
/** Times of a turn of speech; null if nobody knows. Undefined: without talk spurts. */
export type MadeTalk = { talk_over: number | null; silence_before: number | null }
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
  /** Each prompt of which somebody knows whether the caller interrupted it. */
  barge_ins: boolean[]
  /** How long each side spoke; undefined if nobody knows. */
  spoken: { caller: number; application: number } | undefined
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

/**
 * Generates a call of some turns, which begins with a second. One in thirty is silent. Talk spurts are in seconds since
 * it began.
 */
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
    barge_ins: [],
    spoken: { caller: 0, application: 0 },
  }
  /** The last prompt: when it was heard, and whether it is known. */
  let heard: { from: number; to: number; isKnown: boolean } | undefined
  /** Time of the last result with speech or keys. */
  let replied = 0
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
  function speak(start: number, below?: string, isCut = false) {
    // the trace of a prompt that is cut has only the requests for its voice
    const own = isCut ? below! : id()
    const duration = some(3_000, 5_000)
    if (!isCut)
      made.spans.push(
        below
          ? prompt(own, below, start, duration, 'Please say it...')
          : say(own, start, duration, 'Here is what y...'),
      )
    const kind = isCut ? 3 + random(17) : random(20)
    const before = heard
    heard = { from: start, to: start + duration, isKnown: false }
    // no request, as of a stream
    if (kind === 0) {
      made.prompts.push(undefined)
      made.barge_ins.push(false)
      made.spoken = undefined
    } else {
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
      if (kind === 2) {
        request([vendor, voice], took, null)
        heard = before
      } else {
        const cached = kind > 12
        request([vendor, voice], took, cached)
        const asked = isCut ? start + 1 : start
        const first_audio = begins - asked
        made.barge_ins.push(isCut)
        heard = { from: begins, to: start + duration, isKnown: !isCut }
        if (isCut) made.spoken = undefined
        else if (made.spoken) made.spoken.application += start + duration - begins
        made.prompts.push({ vendor, voice, cached, first_audio })
        respond(asked, first_audio, vendor, voice)
      }
    }
    waiting = undefined
    return start + duration
  }

  /** Speech until `stop`, by the whole seconds that the platform writes. One in eight has no talk spurts. */
  function speech(
    start: number,
    prompted: number,
    [stop, resolved]: [number, number],
    outcome: string,
  ) {
    if (random(8) === 0) return undefined
    const during = Math.min(prompted, Math.max(start, heard?.from ?? start))
    const began = random(3) === 0 ? some(during, prompted + 1) : some(prompted, stop)
    const paused = some(began, stop + 1)
    const second = (ms: number) => Math.floor(ms / 1_000)
    const spurts =
      random(2) === 0
        ? [[second(began), second(stop)] as const]
        : [
            [second(began), second(paused)] as const,
            [second(some(paused, stop + 1)), second(stop)] as const,
          ]
    let ms = 0
    let talk_over: number | null = 0
    for (const [i, [first, last]] of spurts.entries()) {
      const isExact = i === spurts.length - 1 && outcome !== 'several'
      const begins = (first * 1_000 + Math.min(first * 1_000 + 1_000, resolved)) / 2
      const latest = isExact ? stop : Math.min(last * 1_000 + 1_000, resolved)
      const earliest = isExact ? stop : last * 1_000
      const end = (earliest + latest) / 2
      ms += Math.max(0, end - begins)
      if (!heard || heard.from >= latest || heard.to <= first * 1_000) continue
      if (!heard.isKnown) talk_over = null
      else if (talk_over !== null && first * 1_000 + 1_000 <= heard.to && earliest >= heard.from)
        talk_over += Math.max(0, Math.min(end, heard.to) - Math.max(begins, heard.from))
    }
    const from = spurts[0]![0] * 1_000
    const until = Math.min(from + 1_000, resolved)
    const silence_before =
      heard?.isKnown && heard.to >= replied && heard.to < until
        ? Math.round((Math.max(from, heard.to) + until) / 2 - heard.to)
        : null
    if (talk_over !== null) talk_over = Math.round(talk_over)
    return { spurts, ms, expected: { talk_over, silence_before } }
  }

  /** Listens once. Returns when the caller hung up while waiting. */
  function listen(path: string, isPrompted: boolean, canHangUp: boolean): number | undefined {
    const own = id()
    const start = at + some(3, 12)
    const outcome = pick(OUTCOMES)
    const isSpeech = ['speech', 'vague', 'low', 'fallback', 'several'].includes(outcome)
    const isCut = isPrompted && isSpeech && outcome !== 'low' && random(3) === 0
    const heardFrom = isPrompted ? speak(start + 2, own, isCut) : start
    const vendor = pick(RECOGNIZERS)
    const language = pick(LANGUAGES)
    const latency = some(100, 900)
    const webhook = some(80, 3_000)
    const resolved = heardFrom + some(1_500, 4_000)
    const by = outcome === 'fallback' ? pick(RECOGNIZERS.filter((one) => one !== vendor)) : vendor
    // cut at any time until then
    if (isCut && heard) heard.to = resolved
    const talk = isSpeech
      ? speech(start, heardFrom, [resolved - latency, resolved], outcome)
      : undefined
    const named = (resolve: string, confidence: number, latencies = String(latency)) =>
      gather(
        own,
        start,
        resolved + webhook - start,
        `inputs=speech,vendor=${vendor},language=${language}`,
        resolve,
        {
          ...result('my order', confidence, by, language),
          'stt.latency_ms': latencies,
          ...(talk && { 'stt.talkspurts': JSON.stringify(talk.spurts) }),
        },
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
      talk: talk?.expected,
    }
    made.turns.push(turn)
    if (outcome === 'error' || (isSpeech && !talk)) made.spoken = undefined
    else if (made.spoken && talk) made.spoken.caller += talk.ms
    if (!turn.timed_out) replied = resolved
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
  if (!made.turns.some(({ talk }) => talk)) made.spoken = undefined
  made.spans.push(
    call(end + 30, { callSid: call_sid }),
    answered(200),
    recording(210, end - 210),
    over(end, made.ended_by === 'caller' ? 'caller' : 'jambonz'),
  )
  return made
}
