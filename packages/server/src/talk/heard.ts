import type { Heard } from '@switchroom/contract'
import {
  AT_ONCE_MS,
  hasPrompt,
  isAnswer,
  labelOf,
  promptsOf,
  resolvedAt,
  sameText,
} from './said.ts'
import {
  type CallSpan,
  holding,
  hookName,
  isBackground,
  isGather,
  isJson,
  isResultHook,
  isVerb,
  jsonOf,
  moment,
  textOf,
  verbOf,
} from './spans.ts'

/** A gather that came to an end by itself. */
export type Gathering = {
  span: CallSpan
  /** The webhook that its result was sent to. */
  hook: CallSpan | undefined
  resolved: number
  heard: Heard
}

const OUTCOMES = new Map<string | undefined, Pick<Heard, 'outcome' | 'ended_by'>>([
  ['speech', { outcome: 'speech', ended_by: null }],
  ['transcript', { outcome: 'speech', ended_by: null }],
  ['stt-low-confidence', { outcome: 'low_confidence', ended_by: null }],
  ['dtmf-num-digits', { outcome: 'digits', ended_by: 'number' }],
  ['dtmf-terminator-key', { outcome: 'digits', ended_by: 'key' }],
  ['dtmf-interdigit-timeout', { outcome: 'digits', ended_by: 'pause' }],
  ['timeout', { outcome: 'nothing', ended_by: null }],
  ['stt-error', { outcome: 'error', ended_by: null }],
  ['connection failure', { outcome: 'error', ended_by: null }],
])
const STOPPED = { outcome: 'stopped', ended_by: null } as const

/** Below it, a transcript is taken for a guess. */
export const LOW_CONFIDENCE = 0.5

const textIn = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : null

/** A vendor or language as a gather's name has it; null if it is the application's default. */
function named(name: string, key: 'vendor' | 'language') {
  const value = new RegExp(`[{,]${key}=([^,}]*)`).exec(name)?.[1]
  return !value || value === 'default' ? null : value
}

type Recognized = Pick<
  Heard,
  'transcript' | 'confidence' | 'language' | 'vendor' | 'label' | 'instead_of' | 'error'
>

function recognized(span: CallSpan, hook: CallSpan | undefined): Recognized {
  const result = jsonOf(span, 'stt.result')
  const [best]: unknown[] = Array.isArray(result.alternatives) ? result.alternatives : []
  const { transcript, confidence } = isJson(best) ? best : {}
  const asked = named(span.name, 'vendor')
  const vendor = textIn(isJson(result.vendor) ? result.vendor.name : result.vendor)
  return {
    transcript: textIn(transcript),
    confidence:
      typeof confidence === 'number' && confidence > 0 && confidence <= 1 ? confidence : null,
    language:
      (typeof result.language_code === 'string' && result.language_code) ||
      named(span.name, 'language'),
    vendor: vendor ?? asked,
    label: labelOf(span, 'stt.label'),
    instead_of: vendor !== null && asked !== null && asked !== vendor ? asked : null,
    error: errorIn(result.error) ?? errorIn(jsonOf(hook, 'http.body').details),
  }
}

const errorIn = (error: unknown) =>
  isJson(error) ? (textIn(error.message) ?? JSON.stringify(error)) : textIn(error)

/** The gathers among the spans, but those that were ended from outside, and what they heard. */
export function gatherings(all: readonly CallSpan[]): Gathering[] {
  // the called party confirms a call while it is dialled
  const dials = all.filter((span) => isVerb(span) && verbOf(span) === 'dial')
  const isOfCalled = holding(dials.map(({ start, end }) => ({ start: start + 1, end })))
  const found = all.filter(isGather).flatMap((span): Gathering[] => {
    const resolve = textOf(span, 'stt.resolve')
    // with the call or by another verb: what was heard until then is not kept
    if (resolve === 'killed' || (resolve === undefined && isBackground(span))) return []
    const hook = span.children.find(isResultHook)
    const resolved = resolvedAt(span)
    const prompts = promptsOf(span, resolved, isAnswer(resolve)).filter(
      ({ end }) => end !== null && end < resolved - AT_ONCE_MS,
    )
    const heard: Heard = {
      kind: 'heard',
      at: resolved,
      from: prompts.at(-1)?.end ?? span.start,
      side: isOfCalled(span) ? 'called' : 'caller',
      ...(OUTCOMES.get(resolve) ?? STOPPED),
      ...recognized(span, hook),
      from_recording: null,
      digits: textIn(jsonOf(hook, 'http.body').digits),
      asked_again: false,
      response: null,
    }
    return [{ span, hook, resolved, heard }]
  })
  found.sort((a, b) => a.resolved - b.resolved)
  for (const [i, gathering] of found.entries())
    gathering.heard.asked_again = isAskedAgain(gathering, found[i + 1])
  return found
}

function promptText({ span, resolved }: Gathering) {
  const [prompt] = promptsOf(span, resolved, false)
  return prompt && sameText(prompt)
}

/** Whether the next gather asks for the same, because this one was not understood. */
function isAskedAgain(gathering: Gathering, next: Gathering | undefined): boolean {
  const { heard, hook } = gathering
  if (!next?.hook || !hook || hookName(hook) !== hookName(next.hook) || !hasPrompt(next.span))
    return false
  if (heard.outcome !== 'speech') return heard.outcome !== 'digits' && heard.outcome !== 'stopped'
  if (heard.confidence !== null && heard.confidence < LOW_CONFIDENCE) return true
  const asked = promptText(gathering)
  return typeof asked === 'string' && asked === promptText(next)
}

/** The utterances of background transcription, of either side. */
export function utterances(all: readonly CallSpan[]): Heard[] {
  return all
    .filter(({ name }) => name.startsWith('stt-listen:'))
    .map((span) => ({
      kind: 'heard',
      at: span.end,
      from: span.start,
      side: span.name.endsWith(':2') ? 'called' : 'caller',
      ...(OUTCOMES.get(textOf(span, 'stt.resolve')) ?? STOPPED),
      ...recognized(span, undefined),
      from_recording: null,
      digits: null,
      asked_again: false,
      response: null,
    }))
}

/** Keys pressed closer to each other than this belong together. */
const KEYS_WITHIN_MS = 3_000

/** The keys of the caller, each once: two tasks that listen both report it. */
export function keysOf(all: readonly CallSpan[]): CallSpan[] {
  const keys: CallSpan[] = []
  for (const span of all) {
    if (!span.name.startsWith('dtmf:') || textOf(span, 'channel') === '2') continue
    const isSame = ({ name, start }: CallSpan) =>
      name === span.name && span.start - start <= AT_ONCE_MS
    if (!keys.slice(-3).some(isSame)) keys.push(span)
  }
  return keys
}

export const keyOf = ({ name }: CallSpan) => name.slice('dtmf:'.length)

/** Keys that were pressed while nothing collected digits. */
export function pressed(keys: readonly CallSpan[], gathers: readonly CallSpan[]): Heard[] {
  const groups: CallSpan[][] = []
  const isCollected = holding(gathers)
  for (const key of keys) {
    if (isCollected(moment(key.start))) continue
    const last = groups.at(-1)
    if (last && key.start - last.at(-1)!.start <= KEYS_WITHIN_MS) last.push(key)
    else groups.push([key])
  }
  return groups.map((group) => ({
    kind: 'heard',
    at: group.at(-1)!.start,
    from: group[0]!.start,
    side: 'caller',
    outcome: 'digits',
    ended_by: null,
    transcript: null,
    from_recording: null,
    // keys that are left out have no names
    digits: group.map(keyOf).join('') || null,
    confidence: null,
    language: null,
    vendor: null,
    label: null,
    instead_of: null,
    error: null,
    asked_again: false,
    response: null,
  }))
}
