import type { CallInterruptions, Said } from '@switchroom/contract'
import type { Course } from './course.ts'
import { medianOf } from './figures.ts'
import type { Gathering } from './heard.ts'
import { resolvedAt } from './said.ts'
import { type CallSpan, firstFrom, isGather, isStream, moment, verbOf } from './spans.ts'

/** The platform writes talk spurts in whole seconds, rounded down. */
const SECOND_MS = 1_000
/** More talk spurts of one turn are not read. */
const MAX_SPURTS = 500

/** Verbs that speak, or let others speak to the caller, without telling when. */
const UNTOLD = /^(?:Llm_\w*|\w+_s2s|llm|agent|dialogflow|lex|rasa|listen|stream|dub)$/

/** When something happened: at the earliest, and at the latest. */
type When = readonly [earliest: number, latest: number]
/** Speech of the caller. */
type Spurt = { start: When; stop: When }
/** Time in which the application was heard. `isCut`: the caller ended it; null if the trace does not tell. */
type Sound = { start: number; end: number; isCut: boolean | null }

export type TurnTalk = {
  /** Time in which caller and application both spoke; null if the trace does not tell. */
  talk_over: number | null
  /** Time from the end of the application's prompt to the caller's speech; null if unknown, or without silence. */
  silence_before: number | null
}
export type Interruptions = Pick<CallInterruptions, 'barge_ins' | 'barge_in_known' | 'talk'> & {
  /** Turns of speech whose talk spurts the trace has. */
  turns: readonly TurnTalk[]
}

const numbers = (values: readonly (number | null)[]) => values.filter((value) => value !== null)

/** The interruptions of a call, for its conversation. */
export function callInterruptions({ turns, ...rest }: Interruptions): CallInterruptions {
  const overs = numbers(turns.map(({ talk_over }) => talk_over))
  const silences = numbers(turns.map(({ silence_before }) => silence_before))
  return {
    ...rest,
    talk_over_ms: overs.length > 0 ? overs.reduce((sum, ms) => sum + ms, 0) : null,
    silence_before_ms: medianOf(silences.toSorted((a, b) => a - b)),
  }
}

/** Interruptions, silence and time of speech, as far as the trace tells. */
export function interruptionsOf(
  all: readonly CallSpan[],
  { gathered, said, course }: { gathered: readonly Gathering[]; said: Said[]; course: Course },
): Interruptions {
  const { sounds, unknown } = soundsOf(all, said, course)
  const turns: TurnTalk[] = []
  let isTold = unknown.length === 0
  let caller_ms = 0
  /** Time of the last result with speech or keys, and the end of the last talk spurt. */
  let answered = Number.NEGATIVE_INFINITY
  let spoken = Number.NEGATIVE_INFINITY
  for (const turn of gathered) {
    const { outcome, side } = turn.heard
    if (side !== 'caller' || outcome === 'stopped' || outcome === 'nothing') continue
    if (outcome !== 'digits') {
      const spurts = spurtsOf(turn, spoken)
      isTold &&= spurts.length > 0
      spoken = spurts.at(-1)?.stop[0] ?? spoken
      for (const { start, stop } of spurts) caller_ms += Math.max(0, middle(stop) - middle(start))
      if (outcome !== 'error' && spurts.length > 0)
        turns.push({
          talk_over: talkOver(spurts, sounds, unknown),
          silence_before: silenceBefore(spurts[0]!, sounds, { unknown, answered }),
        })
    }
    answered = turn.resolved
  }
  const judged = said.filter(
    ({ is_spoken, is_interrupted }) => is_spoken && is_interrupted !== null,
  )
  const application_ms = sounds.reduce((sum, { start, end }) => sum + end - start, 0)
  return {
    barge_ins: judged.filter(({ is_interrupted }) => is_interrupted).length,
    barge_in_known: judged.length,
    turns,
    talk: isTold && turns.length > 0 ? { caller_ms, application_ms } : null,
  }
}

const middle = ([earliest, latest]: When) => (earliest + latest) / 2

/**
 * The talk spurts of a turn, which begin after those of the turns before. None if the trace does not have them, or has
 * something else in their place.
 */
function spurtsOf({ span, resolved, heard: { response } }: Gathering, after: number): Spurt[] {
  const found: unknown = parsed(span.attributes.get('stt.talkspurts'))
  if (!Array.isArray(found) || found.length > MAX_SPURTS || !found.every(isPair)) return []
  const times = [
    Math.max(after, span.start) - SECOND_MS + 1,
    ...found.flat().map((s) => s * SECOND_MS),
    resolved,
  ]
  if (times.some((time, i) => time < times[i - 1]!)) return []
  const within = (second: number): When => {
    const earliest = second * SECOND_MS
    return [earliest, Math.min(earliest + SECOND_MS, resolved)]
  }
  const exact = response?.since === 'speech' ? response.began : undefined
  return found.map(([from, to], i) => {
    const stop = within(to)
    const isExact = i === found.length - 1 && exact !== undefined && exact >= stop[0]
    return { start: within(from), stop: isExact && exact <= stop[1] ? [exact, exact] : stop }
  })
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

const isPair = (pair: unknown): pair is [number, number] =>
  Array.isArray(pair) && pair.length === 2 && pair.every(Number.isSafeInteger)

/** When the application was heard, and when it may have been. */
function soundsOf(all: readonly CallSpan[], said: readonly Said[], { ended }: Course) {
  const until = (at: number) => (ended === undefined ? at : Math.min(at, ended))
  const results = all.filter(isGather).map((gather) => moment(resolvedAt(gather)))
  results.sort((a, b) => a.start - b.start)
  const unknown = all.flatMap((span): Sound[] => {
    const verb = verbOf(span)
    if (!isStream(span) && !UNTOLD.test(verb)) return []
    // what is dubbed goes on beside other verbs
    const end = verb === 'dub' ? Number.POSITIVE_INFINITY : span.end
    return [{ start: span.start, end, isCut: null }]
  })
  const known: Sound[] = []
  for (const { at, end, voice_ms, is_spoken, is_interrupted } of said) {
    if (!is_spoken) continue
    if (end === null || voice_ms === null) {
      const last = end ?? results[firstFrom(results, at)]?.start ?? Number.POSITIVE_INFINITY
      unknown.push({ start: at, end: last, isCut: is_interrupted })
    } else if (until(end) > at + voice_ms)
      known.push({ start: at + voice_ms, end: until(end), isCut: is_interrupted })
  }
  return { sounds: apart(known), unknown: apart(unknown) }
}

/** Sounds in order of their start, with those that overlap as one. */
function apart(sounds: readonly Sound[]): Sound[] {
  const merged: Sound[] = []
  for (const sound of sounds.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (!last || sound.start > last.end) merged.push(sound)
    else if (sound.end > last.end) merged[merged.length - 1] = { ...sound, start: last.start }
  }
  return merged
}

/**
 * Time in which both spoke. Whole seconds leave it open whether speech that began in the second in which a prompt ended
 * began before its end: it did only if it cut the prompt.
 */
function talkOver(spurts: readonly Spurt[], sounds: readonly Sound[], unknown: readonly Sound[]) {
  let ms = 0
  for (const { start, stop } of spurts) {
    if (heardIn(unknown, start[0], stop[1]).length > 0) return null
    for (const sound of heardIn(sounds, start[0], stop[1])) {
      const isCertain = start[1] <= sound.end && stop[0] >= sound.start
      if (!isCertain && !sound.isCut) continue
      const began = middle([start[0], Math.min(start[1], sound.end)])
      ms += Math.max(0, Math.min(middle(stop), sound.end) - Math.max(began, sound.start))
    }
  }
  return ms
}

/** The sounds between two times. */
const heardIn = (sounds: readonly Sound[], from: number, to: number) =>
  sounds
    .slice(Math.max(0, firstFrom(sounds, from) - 1), firstFrom(sounds, to))
    .filter(({ end }) => end > from)

/** Silence between a prompt and the speech that follows it, where nobody else spoke in between. */
function silenceBefore(
  { start: [earliest, latest] }: Spurt,
  sounds: readonly Sound[],
  { unknown, answered }: { unknown: readonly Sound[]; answered: number },
): number | null {
  const prompt = sounds[firstFrom(sounds, latest) - 1]
  if (!prompt || prompt.end < answered || prompt.end >= latest) return null
  const other = unknown[firstFrom(unknown, latest) - 1]
  if (other && other.end > prompt.end) return null
  if (prompt.end > earliest && prompt.isCut !== false) return null
  return middle([Math.max(earliest, prompt.end), latest]) - prompt.end
}
