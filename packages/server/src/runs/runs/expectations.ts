import {
  type Expectation,
  type ExpectationOutcome,
  numberText,
  type RunStep,
  t,
} from '@switchroom/contract'
import { hasPart, nearestText, type TextMatch, textMatch } from './expected-text.ts'
import { clip } from './recorder.ts'

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>
/** Expectations that something happens. */
type Wanted = Exclude<Expectation, Of<'does_not_say'>>

type Matching = { steps: readonly RunStep[]; match: TextMatch }

/** Outcomes of a run's expectations, which its steps must meet in this order. */
export const checkExpectations = (
  steps: readonly RunStep[],
  expectations: readonly Expectation[],
): ExpectationOutcome[] => outcomesOf({ steps, match: textMatch() }, expectations)

/** Outcomes of expectations, each for itself and in any order. */
export function checkEach(
  steps: readonly RunStep[],
  expectations: readonly Expectation[],
): ExpectationOutcome[] {
  // all patterns share their time
  const run = { steps, match: textMatch() }
  return expectations.flatMap((expected) => outcomesOf(run, [expected]))
}

function outcomesOf(run: Matching, expectations: readonly Expectation[]): ExpectationOutcome[] {
  const { steps } = run
  const found = placesOf(run, expectations)
  return expectations.map((expected, i) => {
    const from = 1 + (found.slice(0, i).findLast((step) => step >= 0) ?? -1)
    if (expected.kind === 'does_not_say') {
      const next = found.slice(i + 1).find((step) => step >= 0)
      return notSaid(run, expected, from, next ?? steps.length)
    }
    const step = found[i]!
    return step < 0 ? missed(run, expected, from) : met(steps, expected, step)
  })
}

/** The steps that meet each expectation; -1 where none does. */
function placesOf(run: Matching, expectations: readonly Expectation[]) {
  let from = 0
  return expectations.map((expected) => {
    if (expected.kind === 'does_not_say') return -1
    const step = stepMeeting(run, expected, from)
    if (step >= 0) from = step + 1
    return step
  })
}

function met(steps: readonly RunStep[], { within_ms }: Wanted, step: number): ExpectationOutcome {
  const ms = since(steps, step)
  const is_met = within_ms === undefined || ms <= within_ms
  const text = is_met
    ? t('Met after {ms} ms.', { ms: numberText(ms) })
    : t('Too late: after {ms} ms instead of {limit} ms.', {
        ms: numberText(ms),
        limit: numberText(within_ms),
      })
  return { is_met, step, ms, text }
}

function missed(run: Matching, expected: Wanted, from: number): ExpectationOutcome {
  return {
    ...{ is_met: false, step: null, ms: null },
    text: isTooSlow(run, expected) ? TOO_SLOW : missing(expected),
    nearest: nearest(run.steps, expected, from),
  }
}

const TOO_SLOW = t('This pattern takes too long to match. Simplify it.')
const isTooSlow = ({ match }: Matching, expected: Expectation) =>
  'is_pattern' in expected && expected.is_pattern === true && match.isSlow()

/** Outcome of an expectation that a text is not said in these steps, excluding the last one. */
function notSaid(run: Matching, expected: Of<'does_not_say'>, from: number, to: number) {
  const said = { ...expected, kind: 'says' } as const
  const step = stepMeeting(run, said, from, to)
  if (step < 0 && isTooSlow(run, expected))
    return { is_met: false, step: null, ms: null, text: TOO_SLOW }
  const text = clip(expected.text, 200)
  return step < 0
    ? { is_met: true, step: null, ms: null, text: t('It did not say that.') }
    : {
        ...{ is_met: false, step, ms: since(run.steps, step) },
        text: t('The application said “{text}”.', { text }),
      }
}

function stepMeeting(
  { steps, match }: Matching,
  expected: Wanted,
  from: number,
  to = steps.length,
) {
  const { after_answer = 0, before_answer = Number.POSITIVE_INFINITY } = expected
  let answers = 0
  return steps.findIndex((step, i) => {
    if (step.kind === 'answered') answers++
    return (
      i >= from &&
      i < to &&
      answers >= after_answer &&
      answers < before_answer &&
      meets(step, expected, match)
    )
  })
}

/** Milliseconds that the application took from the tester's latest answer before a step, or from the start. */
function since(steps: readonly RunStep[], index: number) {
  const answered = steps.slice(0, index).findLast(({ kind }) => kind === 'answered')
  return Math.max(0, busy(steps[index]!) - (answered ? busy(answered) : 0))
}
const busy = ({ at, idle = 0 }: RunStep) => at - idle

/** Result that a tool of the application gives the model, over HTTP or by the command of a WebSocket application. */
function toolResult(step: RunStep) {
  if (step.kind === 'request' && /:tool-call$/.test(step.name)) return step.answer?.body.text
  return step.kind === 'command' && step.command === 'llm:tool-output' ? step.data.text : undefined
}

/** The text said or returned instead, if any resembles the expected one. */
function nearest(steps: readonly RunStep[], expected: Wanted, from: number) {
  if (expected.kind !== 'says' && expected.kind !== 'returns') return null
  const texts = steps.slice(from).flatMap((step) => {
    const text = expected.kind === 'returns' ? toolResult(step) : step.kind === 'said' && step.text
    return text ? [text] : []
  })
  return nearestText(texts, expected.text)
}

/** The end of a number, however its digits are separated, or a part of an address. */
function reaches(address: string, wanted: string) {
  const digits = digitsOf(wanted)
  return digits === '' || /[a-z]/i.test(wanted)
    ? hasPart(address, wanted)
    : digitsOf(address.replace(/^(?:sips?|tel):|@.*$/gi, '')).endsWith(digits)
}
const digitsOf = (number: string) => number.replace(/[^\d*#]/g, '')

function meets(step: RunStep, expected: Wanted, { has }: TextMatch): boolean {
  switch (expected.kind) {
    case 'says':
      return step.kind === 'said' && has(step.text ?? '', expected)
    case 'returns':
      return has(toolResult(step) ?? '', expected)
    case 'plays':
      return step.kind === 'played' && hasPart(step.url, expected.url)
    case 'asks':
      return step.kind === 'asked' && asks(step, expected)
    case 'dials':
      return toSomebody(step, 'dial', expected.number)
    case 'transfers':
      return toSomebody(step, 'sip:refer', expected.to)
    case 'hangs_up':
      return step.kind === 'ended' && step.by === 'application'
  }
}

function asks({ question }: Extract<RunStep, { kind: 'asked' }>, { input }: Of<'asks'>) {
  const { answers } = question
  return input ? answers.includes(input) : answers.includes('speech') || answers.includes('digits')
}

const toSomebody = (step: RunStep, verb: string, to: string) =>
  step.kind === 'asked' &&
  step.question.verb === verb &&
  step.question.targets.some((target) => reaches(target.to, to))

function missing(expected: Wanted): string {
  switch (expected.kind) {
    case 'says':
      return t('The application did not say “{text}”.', { text: clip(expected.text, 200) })
    case 'returns':
      return t('The application did not return “{text}” from a tool.', {
        text: clip(expected.text, 200),
      })
    case 'plays':
      return t('The application did not play {url}.', { url: clip(expected.url, 200) })
    case 'asks':
      return expected.input === 'digits'
        ? t('The application did not ask for digits.')
        : expected.input === 'speech'
          ? t('The application did not ask for speech.')
          : t('The application did not ask for input.')
    case 'dials':
      return t('The application did not dial {number}.', { number: clip(expected.number, 200) })
    case 'transfers':
      return t('The application did not transfer the caller to {to}.', {
        to: clip(expected.to, 200),
      })
    case 'hangs_up':
      return t('The application did not hang up.')
  }
}
