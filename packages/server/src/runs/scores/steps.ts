import type { Answer, Conversation, Question, RunStep, Trace } from '@switchroom/contract'
import { talkIn } from '../../talk/conversation.ts'
import { DIGIT } from '../../talk/masked.ts'
import { type CallSpan, isModelSession, isVerb, verbOf } from '../../talk/spans.ts'
import { targetsOf, transferOf } from '../../talk/verbs.ts'

const MAX_ADDRESS = 1_000
/** Spans and events are told by different clocks, and the last words of a session come after its end. */
const CLOCKS_MS = 3_000

/** The course of a call as the steps of a run, which rules and a language model judge. */
export type Course = {
  steps: RunStep[]
  /** True if more may have been said than the steps have. */
  isPartial: boolean
}

type Entry = Conversation['entries'][number]

export function courseOf(conversation: Conversation, trace: Trace): Course {
  const { began, entries, ended, hung_up_by, cut } = conversation
  const at = (ms: number) => Math.max(0, Math.round(ms - began))
  const verbs = talkIn(trace).spans.all.filter(isVerb)
  const steps = [
    ...entries.flatMap((entry) => entrySteps(entry, at(entry.at))),
    ...verbs.flatMap((verb) => verbSteps(verb, at(verb.start))),
  ].sort((a, b) => a.at - b.at)
  if (hung_up_by)
    steps.push({
      ...{ kind: 'ended', at: at(ended ?? entries.at(-1)?.at ?? began), by: hung_up_by, text: '' },
      ...{ sip_status: null, sip_reason: null, x_reason: null, is_answered: true },
    })
  const isHeard = entries.some(({ kind }) => kind === 'recorded')
  return {
    steps,
    isPartial:
      cut ||
      entries.some(isPartial) ||
      (!isHeard && verbs.some((verb) => isBot(verb) || isUntold(verb, entries))),
  }
}

const isBot = (verb: CallSpan) => /^(?:dialogflow|lex|rasa)$/.test(verbOf(verb))

/** True for a model session of which no event brought what the model said. */
const isUntold = (verb: CallSpan, entries: readonly Entry[]) =>
  isModelSession(verb) &&
  !entries.some(
    (entry) =>
      entry.kind === 'model' &&
      entry.what === 'words' &&
      entry.side === 'model' &&
      entry.at >= verb.start - CLOCKS_MS &&
      entry.at <= verb.end + CLOCKS_MS,
  )

/** True if only a part of what the application said is there, or if it is masked. */
function isPartial(entry: Entry) {
  if (entry.kind === 'model')
    return entry.what === 'words' && entry.side === 'model' && isMasked(entry.text)
  if (entry.kind !== 'said' || entry.url !== null) return false
  const { from_recording, text, is_cut } = entry
  return from_recording === null ? is_cut || isMasked(text) : isMasked(from_recording)
}
const isMasked = (text: string | null) => text === null || text.includes(DIGIT)

function entrySteps(entry: Entry, at: number): RunStep[] {
  switch (entry.kind) {
    case 'said':
      if (!entry.is_spoken) return []
      if (entry.url !== null) return [played(entry.url, at)]
      return said(entry.from_recording ?? entry.text, at)
    case 'recorded':
      return entry.side === 'other'
        ? said(entry.text, at)
        : [answered({ kind: 'speech', text: entry.text }, at)]
    case 'heard': {
      const { side, outcome, transcript, from_recording, digits } = entry
      if (side !== 'caller' || outcome === 'stopped') return []
      if (outcome === 'digits')
        return [
          asked(at, { answers: ['digits'] }),
          answered({ kind: 'digits', digits: digits ?? DIGIT }, at),
        ]
      const text = transcript ?? from_recording
      return [
        asked(at, { answers: outcome === 'nothing' ? ['speech', 'digits'] : ['speech'] }),
        answered(text ? { kind: 'speech', text } : { kind: 'nothing' }, at),
      ]
    }
    case 'model':
      if (entry.what !== 'words' || entry.text === null) return []
      return entry.side === 'model'
        ? said(entry.text, at)
        : [asked(at, { answers: ['speech'] }), answered({ kind: 'speech', text: entry.text }, at)]
    case 'event':
      return []
  }
}

function verbSteps(verb: CallSpan, at: number): RunStep[] {
  const name = verbOf(verb)
  const targets =
    name === 'dial' ? targetsOf(verb) : name === 'sip:refer' ? [transferOf(verb).to] : []
  return targets.length === 0
    ? []
    : [
        asked(at, {
          verb: name,
          answers: [],
          targets: targets
            .slice(0, 10)
            .map((to) => ({ type: 'phone', to: to.slice(0, MAX_ADDRESS) })),
        }),
      ]
}

const said = (text: string | null, at: number): RunStep[] =>
  text === null
    ? []
    : [
        {
          ...{ kind: 'said', at, verb: 'say', side: 'caller', text, loop: 1 },
          ...{ vendor: null, language: null, voice: null, label: null },
        },
      ]

const played = (url: string, at: number): RunStep => ({
  ...{ kind: 'played', at, verb: 'play', side: 'caller', url, loop: 1 },
})

const asked = (
  at: number,
  { verb = 'gather', answers, targets = [] }: Pick<Question, 'answers'> & Partial<Question>,
): RunStep => ({
  kind: 'asked',
  at,
  question: { verb, side: 'caller', answers, targets, timeout_ms: null, digits: null },
})

const answered = (answer: Answer, at: number): RunStep => ({ kind: 'answered', at, answer })
