import {
  type Expectation,
  type ExpectationOutcome,
  numberText,
  type RunStep,
  t,
} from '@switchroom/contract'
import { clip } from './recorder.ts'

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>

/** Whether the steps of a run meet what is expected of it, in this order. */
export function checkExpectations(
  steps: readonly RunStep[],
  expectations: readonly Expectation[],
): ExpectationOutcome[] {
  let from = 0
  return expectations.map((expected) => {
    const step = steps.findIndex((one, i) => i >= from && meets(one, expected))
    if (step < 0) return { is_met: false, step: null, ms: null, text: missing(expected) }
    from = step + 1
    const ms = since(steps, step)
    const { within_ms } = expected
    const is_met = within_ms === undefined || ms <= within_ms
    return {
      is_met,
      step,
      ms,
      text: is_met
        ? t('Met after {ms} ms.', { ms: numberText(ms) })
        : t('Too late: after {ms} ms instead of {limit} ms.', {
            ms: numberText(ms),
            limit: numberText(within_ms),
          }),
    }
  })
}

/** How long the application took from the tester's latest answer before a step, or from the start, in milliseconds. */
function since(steps: readonly RunStep[], index: number) {
  const answered = steps.slice(0, index).findLast(({ kind }) => kind === 'answered')
  return Math.max(0, busy(steps[index]!) - (answered ? busy(answered) : 0))
}
const busy = ({ at, idle = 0 }: RunStep) => at - idle

const has = (whole: string | null, part: string) => plainText(whole ?? '').includes(plainText(part))
/** Without the tags of SSML, and however it is spaced. */
const plainText = (text: string) =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
/** The end of a number, however its digits are separated, or a part of an address. */
function reaches(address: string, wanted: string) {
  const digits = digitsOf(wanted)
  return digits === '' || /[a-z]/i.test(wanted)
    ? has(address, wanted)
    : digitsOf(address.replace(/^(?:sips?|tel):|@.*$/gi, '')).endsWith(digits)
}
const digitsOf = (number: string) => number.replace(/[^\d*#]/g, '')

function meets(step: RunStep, expected: Expectation): boolean {
  switch (expected.kind) {
    case 'says':
      return step.kind === 'said' && has(step.text, expected.text)
    case 'plays':
      return step.kind === 'played' && has(step.url, expected.url)
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

function missing(expected: Expectation): string {
  switch (expected.kind) {
    case 'says':
      return t('The application did not say “{text}”.', { text: clip(expected.text, 200) })
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
