import {
  type ConversationEntry,
  type ConversationFinding,
  type Heard,
  plural,
  type ResponsePart,
  type Said,
  t,
} from '@switchroom/contract'
import type { Course } from './course.ts'
import { hasGivenUp, knownTime } from './figures.ts'
import { type Clock, type Finding, finding, type Placed } from './finding.ts'
import { AT_END_MS } from './said.ts'
import { clock, seconds } from './sentence.ts'
import {
  type CallSpan,
  type CallSpans,
  firstFrom,
  isGather,
  isStream,
  isVerb,
  textOf,
  verbOf,
} from './spans.ts'
import {
  failedRecognition,
  failedVoices,
  lowConfidence,
  notUnderstood,
  samePrompt,
} from './speech-findings.ts'

type Evidence = { spans: CallSpans; course: Course; keys: readonly CallSpan[] }
const SLOW_MS = 2_000
const VERY_SLOW_MS = 4_000
const SILENT_MS = 8_000
const MAX_FINDINGS = 20
const WORST = ['bad', 'warn', 'info']

/** Findings about a conversation, the most severe first. */
export function findingsOf(
  entries: readonly ConversationEntry[],
  evidence: Evidence,
): ConversationFinding[] {
  const { course, spans } = evidence
  const zero = course.answered ?? spans.root?.start ?? spans.all[0]?.start ?? 0
  const placed = entries.map((entry, index) => ({ entry, index }))
  const heard = placed.filter((p): p is Placed<Heard> => p.entry.kind === 'heard')
  const said = placed.filter((p): p is Placed<Said> => p.entry.kind === 'said')
  const at = (time: number) => clock(time - zero)
  return [
    ...events(placed),
    ...slowest(heard, at),
    ...gaveUp(heard, course, at),
    ...notUnderstood(heard, at),
    ...lowConfidence(heard, at),
    ...samePrompt(said, at),
    ...slowWebhooks(heard, at),
    ...failedVoices(said, at),
    ...failedRecognition(heard, at),
    ...silences(entries, evidence, at),
    ...digitsLost(heard, evidence, at),
    ...cutOff(evidence),
  ]
    .sort((a, b) => WORST.indexOf(a.tone) - WORST.indexOf(b.tone) || a.at - b.at)
    .slice(0, MAX_FINDINGS)
    .map(({ at: _, ...rest }) => rest)
}

/** Events that went wrong say so themselves. */
function events(placed: readonly Placed<ConversationEntry>[]): Finding[] {
  return placed.flatMap((p) =>
    p.entry.kind === 'event' && p.entry.tone !== 'info'
      ? [finding(p.entry.tone, p, p.entry.text)]
      : [],
  )
}

type Wait = { time: string; at: string; part: string }
const WAITED: Record<ResponsePart, (values: Wait) => string> = {
  recognition: (values) =>
    t('The caller waited {time} at {at}: {part} of it for speech recognition.', values),
  digits: (values) => t('The caller waited {time} at {at}: {part} of it for another key.', values),
  webhook: (values) => t('The caller waited {time} at {at}: {part} of it for the webhook.', values),
  application: (values) =>
    t('The caller waited {time} at {at}: {part} of it for the application.', values),
  hand_over: (values) =>
    t('The caller waited {time} at {at}: {part} of it for the platform to go on.', values),
  pause: (values) => t('The caller waited {time} at {at}: {part} of it for a pause.', values),
  voice: (values) => t('The caller waited {time} at {at}: {part} of it for the voice.', values),
}

function slowestOf(heard: readonly Placed<Heard>[]) {
  const known = heard.filter(({ entry }) => knownTime(entry) !== null)
  return known.toSorted((a, b) => knownTime(b.entry)! - knownTime(a.entry)!)[0]
}

function slowest(heard: readonly Placed<Heard>[], at: Clock): Finding[] {
  const worst = slowestOf(heard)
  const response = worst?.entry.response
  const ms = worst ? knownTime(worst.entry) : null
  if (!worst || !response || ms === null || ms <= SLOW_MS) return []
  const [longest] = response.parts.toSorted((a, b) => b.ms - a.ms)
  if (!longest) return []
  const text = WAITED[longest.part]({
    time: seconds(ms),
    at: at(response.began),
    part: seconds(longest.ms),
  })
  return [finding(ms > VERY_SLOW_MS ? 'bad' : 'warn', worst, text)]
}

function gaveUp(heard: readonly Placed<Heard>[], { hung_up_by }: Course, at: Clock): Finding[] {
  if (hung_up_by !== 'caller') return []
  return heard.flatMap((p) => {
    const { response } = p.entry
    if (!hasGivenUp(response)) return []
    const values = { time: seconds(response.ms), at: at(response.began) }
    const [longest] = response.parts.toSorted((a, b) => b.ms - a.ms)
    const text =
      longest?.part === 'webhook'
        ? t('The caller hung up after waiting {time} for the webhook, since {at}.', values)
        : t('The caller hung up after waiting {time} for an answer, since {at}.', values)
    return [finding('bad', p, text)]
  })
}

function slowWebhooks(heard: readonly Placed<Heard>[], at: Clock): Finding[] {
  const waited = ({ entry }: Placed<Heard>) =>
    entry.response?.parts.find(({ part }) => part === 'webhook')?.ms ?? 0
  const slow = heard.filter((p) => waited(p) > SLOW_MS)
  const named = slowestOf(heard)
  if (slow.every((p) => p === named || p.entry.response?.until === 'hangup')) return []
  const [worst] = slow.toSorted((a, b) => waited(b) - waited(a))
  if (!worst) return []
  const text = plural(
    slow.length,
    'The webhook took {time} at {at}.|The webhook was slow in {n} turns: it took {time} at {at}.',
    { time: seconds(waited(worst)), at: at(worst.entry.at) },
  )
  return [finding('warn', worst, text)]
}

/** Times at which somebody spoke, or may have. */
function sounds(
  entries: readonly ConversationEntry[],
  { all }: CallSpans,
): [from: number, to: number][] {
  const untold = all.filter(isStream)
  return [
    ...entries.flatMap((entry, i): [number, number][] => {
      if (entry.kind === 'heard') return entry.outcome === 'nothing' ? [] : [[entry.from, entry.at]]
      return [
        [entry.at, entry.end ?? (entry.kind === 'said' ? entries[i + 1]?.at : null) ?? entry.at],
      ]
    }),
    ...untold.map(({ start, end }): [number, number] => [start, end]),
  ]
}

function silences(
  entries: readonly ConversationEntry[],
  { course: { answered, ended }, spans }: Evidence,
  at: Clock,
): Finding[] {
  if (answered === undefined || ended === undefined) return []
  let quiet = answered
  let longest = { from: answered, ms: 0 }
  for (const [from, to] of [...sounds(entries, spans), [ended, ended] as const].sort(
    (a, b) => a[0] - b[0],
  )) {
    const ms = Math.min(from, ended) - quiet
    if (ms > longest.ms) longest = { from: quiet, ms }
    quiet = Math.max(quiet, to)
  }
  if (longest.ms < SILENT_MS) return []
  const index = entries.findIndex((entry) => entry.at >= longest.from)
  return [
    {
      tone: 'warn',
      text: t('Nothing was said or recognized for {time} from {at} on.', {
        time: seconds(longest.ms),
        at: at(longest.from),
      }),
      entry: index < 0 ? null : index,
      at: longest.from,
    },
  ]
}

/** Keys that were pressed while a gather listened, and that it did not return. */
function digitsLost(
  heard: readonly Placed<Heard>[],
  { spans, keys }: Evidence,
  at: Clock,
): Finding[] {
  const lost = spans.all.filter(isGather).flatMap((gather) => {
    const resolve = textOf(gather, 'stt.resolve')
    if (resolve !== 'timeout' && resolve !== 'killed') return []
    const key = keys[firstFrom(keys, gather.start)]
    return key && key.start <= gather.end ? [{ gather, key }] : []
  })
  const [first] = lost
  if (!first) return []
  const entry = heard.find((p) => p.entry.at >= first.key.start && p.entry.at <= first.gather.end)
  return [
    {
      tone: 'warn',
      text: t('Digits were pressed at {at}, but not collected.', { at: at(first.key.start) }),
      entry: entry?.index ?? null,
      at: first.key.start,
    },
  ]
}

const LASTING = new Set(['dial', 'conference', 'enqueue', 'dequeue', 'listen', 'gather'])

/** The platform ended the call although the application had not, and something was still going on. */
function cutOff({ spans, course }: Evidence): Finding[] {
  const { ended, hung_up_by } = course
  if (ended === undefined || hung_up_by !== 'application') return []
  const verbs = spans.all.filter(isVerb)
  if (verbs.some((verb) => verbOf(verb) === 'hangup')) return []
  const running = verbs.some((verb) => {
    const name = verbOf(verb)
    // verbs that end by themselves do so before the call
    if (verb.start > ended - AT_END_MS || verb.end < ended) return false
    if (name === 'gather') return textOf(verb, 'stt.resolve') === 'killed'
    return LASTING.has(name) || name.startsWith('Llm_')
  })
  if (!running) return []
  return [
    {
      tone: 'warn',
      text: t(
        'The platform ended the call while the application still ran: at its time limit, after losing its media, or by a command.',
      ),
      entry: null,
      at: ended,
    },
  ]
}
