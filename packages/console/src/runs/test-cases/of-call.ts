import type { CallCase, CallCaseStep } from '@switchroom/contract'
import { type AnswerRow, answerRow, blankAnswer } from './answer-values'
import { type Values, valuesOf } from './values'

type Of<K extends CallCaseStep['kind']> = Extract<CallCaseStep, { kind: K }>
const isOf =
  <K extends CallCaseStep['kind']>(kind: K) =>
  (step: CallCaseStep): step is Of<K> =>
    step.kind === kind

/** A new test case that plays a call again. Answers whose words are not kept are blank, and must be filled in. */
export function valuesOfCall({ name, start, steps }: CallCase): Values {
  const expected = steps.filter(isOf('expects'))
  const values = valuesOf(
    { name, start, answers: [], expectations: expected.map((step) => step.expected) },
    expected.map(({ looser }) => ({ looser: looser && 'text' in looser ? looser.text : null })),
  )
  const answers = steps.flatMap((step, i) => {
    if (step.kind !== 'caller') return []
    const key = String(i)
    return step.answer
      ? answerRow(step.answer, key)
      : { ...blankAnswer(key), kind: askedIn(steps[i - 1]) }
  })
  return { ...values, answers }
}

const askedIn = (step: CallCaseStep | undefined): AnswerRow['kind'] =>
  step?.kind === 'expects' && step.expected.kind === 'asks' && step.expected.input === 'digits'
    ? 'digits'
    : 'speech'
