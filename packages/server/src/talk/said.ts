import type { Said } from '@switchroom/contract'
import {
  type CallSpan,
  firstFrom,
  holding,
  isBackground,
  isGather,
  isJson,
  isResultHook,
  isSaid,
  isSynthesis,
  isVerb,
  jsonOf,
  moment,
  SAID_AS,
  textOf,
  verbOf,
} from './spans.ts'

/** How far apart two things that happened at once may be. */
export const AT_ONCE_MS = 20
/** The same at the end of a call, which several programs notice. */
export const AT_END_MS = 50

/** What a span calls a label that is not set. */
export const labelOf = (span: CallSpan, key: string) => {
  const label = textOf(span, key)
  return label === undefined || label === 'None' ? null : label
}

const nothing = {
  text: null,
  from_recording: null,
  is_cut: false,
  url: null,
  is_streamed: false,
  vendor: null,
  language: null,
  voice: null,
  label: null,
  cached: null,
  voice_ms: null,
  failed: [],
  is_spoken: true,
} satisfies Partial<Said>

/** What a span's name shows of the text: at most 15 characters of it. */
export function shownText(name: string): Pick<Said, 'text' | 'is_cut'> {
  const text = /say\{text=(.*?)\}?$/s.exec(name)?.[1]
  if (text === undefined) return { text: null, is_cut: false }
  const is_cut = text.endsWith('...')
  return { text: is_cut ? text.slice(0, -3) : text, is_cut }
}

/** Who synthesized a voice, who failed to, and how long it took from `start`. */
function voiceOf(attempts: readonly CallSpan[], start: number): Partial<Said> {
  const isDone = (span: CallSpan) => span.attributes.has('tts.cached')
  const done = attempts.findLast(isDone)
  const named = done ?? attempts.at(-1)
  if (!named) return {}
  return {
    vendor: textOf(named, 'tts.vendor') ?? null,
    language: textOf(named, 'tts.language') ?? null,
    voice: textOf(named, 'tts.voice') ?? null,
    label: labelOf(named, 'tts.label'),
    cached: done ? String(done.attributes.get('tts.cached')) === 'true' : null,
    voice_ms: done ? done.end - start : null,
    failed: attempts.flatMap((span, i) =>
      isDone(span)
        ? []
        : [
            {
              vendor: textOf(span, 'tts.vendor') ?? '',
              ms: (attempts[i + 1]?.start ?? span.end) - span.start,
            },
          ],
    ),
    is_spoken: done !== undefined,
  }
}

/** What the application said in a span of its own: a verb, a prompt, or a whisper. */
export function saidOf(span: CallSpan, is_interrupted: boolean | null): Said {
  const { name, start, end } = span
  const said: Said = {
    kind: 'said',
    at: start,
    end,
    ...nothing,
    ...shownText(name),
    url: /play:\{url=(.*?)\}?$/s.exec(name)?.[1] ?? null,
    is_streamed: name.endsWith('say streaming'),
    ...voiceOf(span.children.filter(isSynthesis), start),
    is_interrupted,
  }
  const saidAs = textOf(span, SAID_AS)
  if (saidAs !== undefined) withoutWords.set(said, saidAs)
  return said
}

/** What stands for the texts of prompts that lost some or all of their words. */
const withoutWords = new WeakMap<Said, string>()

/** What is the same of two prompts that look the same, also if their words are not kept. Null if it is not known. */
export const sameText = (said: Said): string | null => withoutWords.get(said) ?? said.text

/**
 * The prompts of a gather. A prompt that was cut has no span of its own: only the synthesis of its voice arrives.
 * `resolved`: when the gather had its result; `isAnswered`: whether by speech or digits.
 */
export function promptsOf(gather: CallSpan, resolved: number, isAnswered: boolean): Said[] {
  const isCut = ({ end }: CallSpan) =>
    end < resolved - AT_ONCE_MS ? false : isAnswered ? true : null
  const whole = gather.children.filter(isSaid).map((span) => saidOf(span, isCut(span)))
  const parts = gather.children.filter(isSynthesis)
  const [first] = parts
  if (!first) return whole
  const cut: Said = {
    kind: 'said',
    at: first.start,
    end: null,
    ...nothing,
    ...voiceOf(parts, first.start),
    is_interrupted: isAnswered ? true : null,
  }
  return [...whole, cut].sort((a, b) => a.at - b.at)
}

export const isAnswer = (resolve: string | undefined) =>
  resolve === 'speech' || resolve?.startsWith('dtmf-') === true

/** When a gather had its result: its webhook starts then. */
export const resolvedAt = ({ children, end }: CallSpan) => children.find(isResultHook)?.start ?? end

/** What the application said outside gathers, by the verbs and whispers among these spans. */
export function saidByVerbs(all: readonly CallSpan[], ended: number | undefined): Said[] {
  const gathers = all.filter(isGather)
  const prompts = new Set(gathers.flatMap((gather) => gather.children))
  const background = gathers.filter(isBackground)
  const listened = holding(background.map(({ start, end }) => ({ start: start + 1, end })))
  const answered = holding(
    background
      .filter((gather) => isAnswer(textOf(gather, 'stt.resolve')))
      .map((gather) => ({
        start: Math.max(gather.start + 1, resolvedAt(gather) - AT_ONCE_MS),
        end: gather.end,
      })),
  )
  const speaking = holding(
    background
      .filter((gather) => textOf(gather, 'stt.resolve') === 'speech')
      .map((gather) => ({
        start: Math.max(gather.start + 1, speechBegan(gather)),
        end: resolvedAt(gather),
      })),
  )
  const verbs = all.filter((span) => isVerb(span) && verbOf(span) !== 'config')
  const isFollowed = (end: number) => {
    const next = verbs[firstFrom(verbs, end)]
    return next !== undefined && next.start <= end + AT_END_MS
  }
  const isCut = ({ end }: CallSpan): boolean | null => {
    if (ended !== undefined && end >= ended - AT_END_MS) return null
    if (!listened(moment(end))) return false
    if (answered(moment(end))) return true
    // the first words cut it, and their result comes later; what the next verb follows at once may have ended by itself
    return (speaking(moment(end)) && !isFollowed(end)) || null
  }
  return all
    .filter((span) => isSaid(span) && !prompts.has(span))
    .map((span) => saidOf(span, isCut(span)))
}

/** How long one word takes with the silence that ends it, and each other one. */
const FIRST_WORD_MS = 1_200
const WORD_MS = 300
const MAX_WORDS = 50

/** When the caller began to say what a gather recognized: as the platform heard it, or as its words need. */
function speechBegan(gather: CallSpan): number {
  const [spurt] = /\d{9,11}/.exec(textOf(gather, 'stt.talkspurts') ?? '') ?? []
  if (spurt !== undefined) return Number(spurt) * 1_000
  const { alternatives } = jsonOf(gather, 'stt.result')
  const best: unknown = Array.isArray(alternatives) ? alternatives[0] : undefined
  const transcript = isJson(best) && typeof best.transcript === 'string' ? best.transcript : ''
  const words = Math.min(transcript.split(' ', MAX_WORDS).length, MAX_WORDS)
  return resolvedAt(gather) - FIRST_WORD_MS - WORD_MS * (words - 1)
}

/** Whether a gather has a prompt, be it a cut one. */
export const hasPrompt = ({ children }: CallSpan) =>
  children.some((child) => isSaid(child) || isSynthesis(child))
