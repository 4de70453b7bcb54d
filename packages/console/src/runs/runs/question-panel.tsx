import { type Answer, type AnswerKind, isOneOf, type Question, t } from '@switchroom/contract'
import { PhoneOff } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { TextField } from '../../ui/text-field'
import { answerOf, buttonsOf, CONTROLS, fieldKey, type Typed, typedAs } from './answer-controls'
import { AnswerInput, type Inputs, MoreInputs } from './answer-inputs'
import { Keypad } from './keypad'
import { askedText } from './run-text'

/** Input that the tester gives in place of a telephone. */
export function QuestionPanel({
  question,
  isBusy,
  failure,
  onAnswer,
}: {
  question: Question
  /** An answer is on its way. */
  isBusy: boolean
  /** Why the last one was refused. */
  failure: string | undefined
  onAnswer: (answer: Answer) => void
}) {
  const [typed, setTyped] = useState<Typed>({})
  const [problem, setProblem] = useState<Inputs['problem']>()
  const { answers, targets, digits } = question
  const offers = (kind: AnswerKind) => isOneOf(answers, kind)
  const send = (kind: AnswerKind, of = typed) => {
    if (isBusy) return
    const made = answerOf(kind, of)
    if ('answer' in made) return onAnswer(made.answer)
    // words are typed once for all that is said
    const of_kind = kind === 'low_confidence' ? 'speech' : kind
    setProblem({ key: fieldKey(of_kind, made.field), text: made.problem })
  }
  const onType = (key: string, text: string) => {
    setTyped((old) => ({ ...old, [key]: text }))
    setProblem(undefined)
  }
  const inputs: Inputs = { typed, onType, problem }
  const submit = (kind: AnswerKind) => (e: FormEvent) => {
    e.preventDefault()
    send(kind)
  }
  const words = fieldKey('speech', 'text')
  const keys = fieldKey('digits', 'digits')
  return (
    <>
      <h2 className="run-question" dir="auto">
        {askedText(question)}
      </h2>
      {offers('speech') && (
        <form className="run-say" onSubmit={submit('speech')}>
          <TextField
            label={question.side === 'called' ? t('The called party says') : t('The caller says')}
            spellCheck
            dir="auto"
            maxLength={2_000}
            value={typed[words] ?? ''}
            onChange={(text) => onType(words, text)}
            error={problem?.key === words ? problem.text : undefined}
          />
          <div className="run-buttons">
            <Button look="primary" type="submit" busy={isBusy}>
              {CONTROLS.speech.label}
            </Button>
            {offers('low_confidence') && (
              <Button
                busy={isBusy}
                onClick={() => send('low_confidence', typedAs('low_confidence', 'speech', typed))}
              >
                {CONTROLS.low_confidence.label}
              </Button>
            )}
          </div>
        </form>
      )}
      {offers('digits') && (
        <form className="run-say" onSubmit={submit('digits')}>
          <Keypad
            digits={digits ?? ANY_KEYS}
            keys={typed[keys] ?? ''}
            onKeys={(text) => onType(keys, text)}
            onComplete={(text) => send('digits', { ...typed, [keys]: text })}
          />
          {problem?.key === keys && <p className="field-error">{problem.text}</p>}
          <div className="run-buttons">
            <Button look={offers('speech') ? 'plain' : 'primary'} type="submit" busy={isBusy}>
              {CONTROLS.digits.label}
            </Button>
          </div>
        </form>
      )}
      {offers('tool_call') && (
        <form className="run-say" onSubmit={submit('tool_call')}>
          {CONTROLS.tool_call.fields
            .filter((field) => field.required)
            .map((field) => (
              <AnswerInput key={field.name} kind="tool_call" {...{ field, targets }} {...inputs} />
            ))}
          <div className="run-buttons">
            <Button look="primary" type="submit" busy={isBusy}>
              {CONTROLS.tool_call.label}
            </Button>
          </div>
        </form>
      )}
      <div className="run-buttons">
        {buttonsOf(answers).map((kind) => (
          <Button key={kind} busy={isBusy} onClick={() => send(kind)}>
            {CONTROLS[kind].label}
          </Button>
        ))}
        <Button className="run-hang-up" busy={isBusy} onClick={() => send('hang_up')}>
          <PhoneOff aria-hidden />
          {CONTROLS.hang_up.label}
        </Button>
      </div>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <MoreInputs question={question} {...inputs} />
    </>
  )
}

const ANY_KEYS = { min: null, max: null, finish_keys: '' }
