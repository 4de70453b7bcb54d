import {
  type Conversation,
  type ConversationEntry,
  type Trace,
  WORDS_KEPT,
  type WordsKept,
} from '@switchroom/contract'
import { answerEvent, courseOf, endEvent, failedHooks } from './course.ts'
import { figuresOf } from './figures.ts'
import { findingsOf } from './findings.ts'
import { gatherings, keysOf, pressed, utterances } from './heard.ts'
import { callInterruptions, interruptionsOf } from './interruptions.ts'
import { momentsOf, responseTo } from './responses.ts'
import { isAnswer, promptsOf, resolvedAt, saidByVerbs } from './said.ts'
import { type CallSpan, callSpans, isGather, isHook, isVerb, textOf, WORDS } from './spans.ts'
import { detectionOf, eventOf } from './verbs.ts'

/** More than a page can show. */
const MAX_ENTRIES = 10_000

/** The span that starts with the recording. */
const RECORDING = 'background-record:listen'

/** Parts of a trace that figures and the conversation are made of. */
export function talkIn(trace: Trace) {
  const spans = callSpans(trace)
  const { all } = spans
  const course = courseOf(spans)
  const keys = keysOf(all)
  const gathered = gatherings(all)
  const moments = momentsOf(all, keys, course.ended)
  for (const gathering of gathered) gathering.heard.response = responseTo(gathering, moments)
  return {
    spans,
    course,
    keys,
    gathered,
    said: [...prompts(all), ...saidByVerbs(all, course.ended)],
  }
}

/** Conversation of a call, from its trace. What the trace does not show is null. */
export function conversationOf(trace: Trace): Conversation {
  const { spans, course, keys, gathered, said } = talkIn(trace)
  const { all } = spans
  const { answered, ended } = course

  const found: (ConversationEntry | undefined)[] = [
    answerEvent(course, spans),
    ...gathered.map(({ heard }) => heard),
    ...utterances(all),
    ...pressed(keys, all.filter(isGather)),
    ...said,
    ...all.filter(isVerb).map((verb) => eventOf(verb, ended)),
    ...all.filter(isHook).map(detectionOf),
    ...failedHooks(all),
    endEvent(course, spans),
  ]
  const sorted = found.filter((entry) => entry !== undefined).sort((a, b) => a.at - b.at)
  const entries = sorted.slice(0, MAX_ENTRIES)
  return {
    began: spans.root?.start ?? all[0]?.start ?? 0,
    answered: answered ?? null,
    ended: ended ?? null,
    recording: all.find(({ name }) => name === RECORDING)?.start ?? null,
    hung_up_by: course.hung_up_by ?? null,
    greeting_ms: greetingOf(entries, answered),
    entries,
    findings: findingsOf(entries, { spans, course, keys }),
    ...figuresOf(entries),
    interruptions: callInterruptions(interruptionsOf(all, { gathered, said, course })),
    cut: trace.cut === true || sorted.length > MAX_ENTRIES,
    words: transcriptPolicyOf(all),
    transcribed: null,
    model_session: null,
  }
}

/** The policy these spans were stored under: the strictest that any of them shows. */
function transcriptPolicyOf(all: readonly CallSpan[]): WordsKept {
  const found = new Set(all.map((span) => textOf(span, WORDS)))
  return WORDS_KEPT.findLast((policy) => found.has(policy)) ?? 'keep'
}

function prompts(all: readonly CallSpan[]) {
  return all
    .filter(isGather)
    .flatMap((gather) =>
      promptsOf(gather, resolvedAt(gather), isAnswer(textOf(gather, 'stt.resolve'))),
    )
}

/** From the answer to the first audio, if the application spoke first. */
function greetingOf(entries: readonly ConversationEntry[], answered: number | undefined) {
  const first = entries.find(({ kind }) => kind !== 'event')
  if (answered === undefined || first?.kind !== 'said' || first.voice_ms === null) return null
  const ms = first.at + first.voice_ms - answered
  return ms >= 0 ? ms : null
}
