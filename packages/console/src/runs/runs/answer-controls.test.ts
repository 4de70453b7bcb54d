import { ANSWER_KINDS, Answer } from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { answerOf, buttonsOf, CONTROLS, fieldKey, moreFieldsOf, typedAs } from './answer-controls'

const FILLED: Record<string, string> = {
  text: 'x',
  seconds: '2',
  number: '486',
  percent: '80',
  json: '{"a":1}',
  keys: '1#',
  target: '1',
}

describe.each(ANSWER_KINDS)('%s', (kind) => {
  const { fields } = CONTROLS[kind]

  it('makes what the contract takes, with nothing more than it needs and with all there is', () => {
    const typed = (all: boolean) =>
      Object.fromEntries(
        fields
          .filter((field) => all || field.required)
          .map(({ name, type, options }) => [
            fieldKey(kind, name),
            type === 'choice' ? options!.at(-1)!.value : FILLED[type]!,
          ]),
      )
    for (const all of [false, true]) {
      const made = answerOf(kind, typed(all))
      const answer = 'answer' in made ? made.answer : made
      expect(Answer.parse(answer)).toEqual(answer)
      const named = fields.filter((field) => all || field.required)
      expect(Object.keys(answer).sort()).toEqual(['kind', ...named.map(({ name }) => name)].sort())
    }
  })
})

it('has a field for everything that the contract lets be said', () => {
  for (const { shape } of Answer.options) {
    const { kind, ...members } = shape
    const fields = CONTROLS[kind.value].fields.map(({ name }) => name)
    expect(fields.sort(), kind.value).toEqual(Object.keys(members).sort())
  }
})

it('says what is missing or wrong', () => {
  expect(answerOf('speech', { 'speech.text': ' ' })).toMatchObject({ field: 'text' })
  expect(answerOf('wait', { 'wait.seconds': 'soon' })).toMatchObject({ field: 'seconds' })
  expect(answerOf('tool_call', { 'tool_call.name': 'f', 'tool_call.args': '[1]' })).toMatchObject({
    field: 'args',
    problem: 'Enter a JSON object',
  })
})

it('reckons seconds and percent as the contract does', () => {
  expect(
    answerOf('speech', {
      'speech.text': 'yes',
      'speech.confidence': '75',
      'speech.after_ms': '1,5',
    }),
  ).toEqual({ answer: { kind: 'speech', text: 'yes', confidence: 0.75, after_ms: 1_500 } })
})

it('takes words for both ways of saying them', () => {
  const typed = typedAs('low_confidence', 'speech', { 'speech.text': 'maybe' })
  expect(answerOf('low_confidence', typed)).toEqual({
    answer: { kind: 'low_confidence', text: 'maybe' },
  })
})

it('has buttons for what has no input', () => {
  expect(buttonsOf(['speech', 'low_confidence', 'error', 'digits', 'nothing', 'hang_up'])).toEqual([
    'error',
    'nothing',
  ])
})

it('asks who answers if there are several', () => {
  const names = (targets: number) => moreFieldsOf('answered', targets).map(({ name }) => name)
  expect(names(2)).toContain('target')
  expect(names(1)).not.toContain('target')
})
