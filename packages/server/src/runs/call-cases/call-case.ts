import {
  type Answer,
  type Call,
  type CallCaseStep,
  type Expectation,
  type Heard,
  MAX_EXPECTATIONS,
  MAX_RUN_ANSWERS,
  plural,
  type RunStart,
  type Said,
  type Trace,
  t,
} from '@switchroom/contract'
import { talkIn } from '../../talk/conversation.ts'
import { type Gathering, keyOf } from '../../talk/heard.ts'
import { DIGIT } from '../../talk/masked.ts'
import {
  type CallSpan,
  isBackground,
  isResultHook,
  isVerb,
  jsonOf,
  numberOf,
  textOf,
  verbOf,
} from '../../talk/spans.ts'
import { invitesOf, statusOf, targetsOf, transferOf } from '../../talk/verbs.ts'
import { loosened } from './loosened.ts'

/** Most that a test case takes of a text, and of an address. */
const MAX_TEXT = 2_000
const MAX_ADDRESS = 1_000
/** Confidence from which on a case leaves it out: certain enough for an application that checks it. */
const CERTAIN = 0.8

/** A number in the form that the start of a run takes. */
const party = (number: string | null) => {
  const plain = (number ?? '').replace(/[\s<>"]/g, '').slice(0, 128)
  return plain === '' ? 'anonymous' : plain
}

export const startOf = ({ from, to }: Pick<Call, 'from' | 'to'>): RunStart => ({
  direction: 'inbound',
  from: party(from),
  to: party(to),
})

/** Steps of one moment, in order. */
type Told = { at: number; steps: CallCaseStep[] }

/** The course of a call as steps of a test case, and notes on what a case cannot contain. */
export type CallScript = {
  steps: CallCaseStep[]
  notes: string[]
  /** True if a caller can play it unchanged. */
  isWhole: boolean
}

const expects = (expected: Expectation, language: string | null = null): CallCaseStep => ({
  kind: 'expects',
  expected,
  looser: loosened(expected, language),
})
const caller = (answer: Answer | null): CallCaseStep => ({ kind: 'caller', answer })

export function callScript(trace: Trace): CallScript {
  const { spans, course, keys, gathered, said } = talkIn(trace)
  const { all } = spans
  const verbs = all.filter(isVerb)
  const told: Told[] = [
    ...said.map((one) => ({ at: one.at, steps: saidSteps(one) })),
    ...gathered.map((one) => ({ at: one.resolved, steps: heardSteps(one, keys) })),
    ...verbs.map((verb) => ({ at: verb.start, steps: verbSteps(verb, course) })),
    ...notInterrupted(verbs, all, gathered),
  ]
  told.sort((a, b) => a.at - b.at)
  const steps = told.flatMap((one) => one.steps)
  if (course.hung_up_by === 'application') steps.push(expects({ kind: 'hangs_up' }))
  const kept = bounded(steps)
  const masked = kept.filter((step) => step.kind === 'caller' && step.answer === null).length
  const isCut = trace.cut === true || kept.length < steps.length
  const isModel = verbs.some((verb) => /^(?:Llm_|llm$|agent$)/.test(verbOf(verb)))
  return {
    steps: kept,
    notes: [
      ...(masked > 0
        ? [
            plural(
              masked,
              'What the caller said or pressed in one answer is not kept, so it is not in the case. Enter it before the case is played.|What the caller said or pressed in {n} answers is not kept, so it is not in the case. Enter it before the case is played.',
            ),
          ]
        : []),
      ...(said.some(({ is_streamed }) => is_streamed)
        ? [t('Speech that was streamed has no words in the trace, so nothing is expected of it.')]
        : []),
      ...(isModel
        ? [
            t(
              'The words of a model session are not in the trace, so nothing is expected within it.',
            ),
          ]
        : []),
      ...(isCut ? [t('The call is longer than a test case: only its beginning is in it.')] : []),
    ],
    isWhole: masked === 0,
  }
}

/** The first steps, up to the limits of a test case. */
function bounded(steps: readonly CallCaseStep[]) {
  let [expected, answers] = [0, 0]
  const end = steps.findIndex(({ kind }) =>
    kind === 'expects' ? ++expected > MAX_EXPECTATIONS : ++answers > MAX_RUN_ANSWERS,
  )
  return end < 0 ? [...steps] : steps.slice(0, end)
}

const KEYS = /^[\dA-D*#]{1,99}$/
const isMasked = (text: string) => text.includes(DIGIT)

function saidSteps({ text, url, language }: Said): CallCaseStep[] {
  if (url !== null) {
    const plain = withoutSecrets(url)
    return plain === '' || isMasked(plain) ? [] : [expects({ kind: 'plays', url: plain })]
  }
  const [words = ''] = plainText(text ?? '')
    .split(/[^\s•]*•[^\s•]*(?:\s+[^\s•]*•[^\s•]*)*/)
    .map((part) => part.trim())
    // the parts of a text around masked words
    .sort((a, b) => b.length - a.length)
  return words === '' ? [] : [expects({ kind: 'says', text: words }, language)]
}

/** A text for comparison: without the tags of SSML, including one that the trace cut. */
const plainText = (text: string) =>
  text
    .replace(/<[^<>]*(?:>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)

/** The beginning of an address, up to where secrets may be. */
const withoutSecrets = (url: string) =>
  url
    .replace(/\/\/[^/@]*@/, '//')
    .split(/[?#]/, 1)[0]!
    .trim()
    .slice(0, MAX_ADDRESS)

function heardSteps({ heard }: Gathering, keys: readonly CallSpan[]): CallCaseStep[] {
  const { outcome } = heard
  if (outcome === 'stopped') return []
  const input =
    outcome === 'digits' ? 'digits' : outcome === 'nothing' ? undefined : ('speech' as const)
  return [
    expects({ kind: 'asks', ...(input && { input }) }),
    caller(answerOf(heard, outcome, keys)),
  ]
}

function answerOf(
  { transcript, digits, confidence, ended_by, at, from }: Heard,
  outcome: Exclude<Heard['outcome'], 'stopped'>,
  keys: readonly CallSpan[],
): Answer | null {
  switch (outcome) {
    case 'nothing':
      return { kind: 'nothing' }
    case 'error':
      return { kind: 'error' }
    case 'digits': {
      if (digits === null || !KEYS.test(digits)) return null
      // the platform does not report the key that ended them
      const last = keys.findLast(({ start }) => start >= from && start <= at)
      const finish = ended_by !== 'key' ? '' : last ? keyOf(last) : '#'
      return { kind: 'digits', digits: digits + (KEYS.test(finish) ? finish : '') }
    }
    case 'speech':
    case 'low_confidence': {
      const text = transcript?.trim() ?? ''
      if (text === '' || text.length > MAX_TEXT || isMasked(text)) return null
      const isTold = confidence !== null && (outcome === 'low_confidence' || confidence < CERTAIN)
      return { kind: outcome, text, ...(isTold && { confidence }) }
    }
  }
}

type Course = ReturnType<typeof talkIn>['course']

/** Steps for the other questions that a verb asks the player of the caller. */
function verbSteps(verb: CallSpan, course: Course): CallCaseStep[] {
  const seconds = Math.round((verb.end - verb.start) / 1_000)
  switch (verbOf(verb)) {
    case 'dial':
      return [...dialed(verb), caller(dialResult(verb, course))]
    case 'sip:refer': {
      const { to, status, final } = transferOf(verb)
      return [
        ...(to === '' || isMasked(to) ? [] : [expects({ kind: 'transfers', to })]),
        caller({
          kind: 'status',
          ...(status !== undefined && { status }),
          ...(final !== undefined && { final_status: final }),
        }),
      ]
    }
    case 'sip:request': {
      const status = numberOf(verb, 'response.status_code')
      return [caller(status === undefined ? { kind: 'error' } : { kind: 'status', status })]
    }
    case 'enqueue':
    case 'dequeue': {
      const { queueResult, dequeueResult } = jsonOf(verb.children.find(isResultHook), 'http.body')
      if (queueResult === 'hangup') return [caller({ kind: 'hang_up' })]
      // a caller whom the application takes out of the queue has no question
      if (queueResult === 'leave') return []
      return [
        caller(dequeueResult === 'timeout' ? { kind: 'nothing' } : { kind: 'bridged', seconds }),
      ]
    }
    case 'conference':
    case 'listen':
    case 'stream':
    case 'dialogflow':
    case 'lex':
    case 'rasa':
    case 'agent':
      return [caller({ kind: 'ended', seconds })]
    default:
      return verbOf(verb).startsWith('Llm_') ? [caller({ kind: 'ended', seconds })] : []
  }
}

function dialed(verb: CallSpan) {
  const [to = ''] = targetsOf(verb)
  return to === '' || isMasked(to)
    ? []
    : [expects({ kind: 'dials', number: to.slice(0, MAX_ADDRESS) })]
}

/** The answer of a run's caller that stands for each final response. */
const OUTCOMES: Record<number, Answer> = {
  408: { kind: 'no_answer' },
  480: { kind: 'no_answer' },
  486: { kind: 'busy' },
  487: { kind: 'no_answer' },
  600: { kind: 'busy' },
}

function dialResult(verb: CallSpan, { ended, hung_up_by }: Course): Answer {
  const invites = invitesOf(verb)
  const winner = invites.find((invite) => statusOf(invite) === 200)
  if (winner) {
    const until = verb.children.find(isResultHook)?.start ?? verb.end
    const isLast = ended !== undefined && ended <= until
    return {
      kind: 'answered',
      seconds: Math.max(0, Math.round((Math.min(until, ended ?? until) - winner.end) / 1_000)),
      ...(isLast && hung_up_by === 'caller' && { ended_by: 'caller' as const }),
    }
  }
  const status = invites.map(statusOf).findLast((one) => one !== undefined)
  if (status === undefined) return { kind: 'no_answer' }
  return OUTCOMES[status] ?? { kind: 'failed', status }
}

/**
 * While an application listens in the background, a run asks at each prompt and pause whether the caller interrupts it.
 * Who did not, says nothing.
 */
function notInterrupted(
  verbs: readonly CallSpan[],
  all: readonly CallSpan[],
  gathered: readonly Gathering[],
): Told[] {
  const background = all.filter((span) => isBackground(span) && span.name.includes(':gather'))
  if (background.length === 0) return []
  const resolved = gathered.filter(({ span }) => isBackground(span)).map((one) => one.resolved)
  const asked = verbs.filter(
    (verb) =>
      ['say', 'play', 'pause'].includes(verbOf(verb)) &&
      background.some(({ start, end }) => start <= verb.start && verb.start < end),
  )
  return asked.flatMap((verb, i) => {
    const until = asked[i + 1]?.start ?? Number.POSITIVE_INFINITY
    const isAnswered = resolved.some((at) => at >= verb.start && at < until)
    return isAnswered ? [] : [{ at: verb.end, steps: [caller({ kind: 'nothing' })] }]
  })
}

/** The application of a call, as its trace tells. */
export const applicationIn = (trace: Trace) => {
  const { all } = talkIn(trace).spans
  return all
    .map((span) => textOf(span, 'application_sid') ?? textOf(span, 'applicationSid'))
    .find((sid) => sid !== undefined)
}
