import type { Answer, Conversation, Question, RunStep, Trace } from '@switchroom/contract'
import { talkIn } from '../../talk/conversation.ts'
import { DIGIT } from '../../talk/masked.ts'
import { type CallSpan, isVerb, verbOf } from '../../talk/spans.ts'
import { targetsOf, transferOf } from '../../talk/verbs.ts'

const MAX_ADDRESS = 1_000

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
      cut || entries.some(isPartial) || (!isHeard && verbs.some((verb) => isSession(verbOf(verb)))),
  }
}

const isSession = (verb: string) => /^(?:Llm_|llm$|agent$|dialogflow$|lex$|rasa$)/.test(verb)

/** True if the trace has only a part of what the application said, or has it masked. */
const isPartial = (entry: Entry) =>
  entry.kind === 'said' &&
  entry.url === null &&
  (entry.from_recording === null
    ? entry.text === null || entry.is_cut || entry.text.includes(DIGIT)
    : entry.from_recording.includes(DIGIT))

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
    // traces have none of a model's
    case 'model':
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
