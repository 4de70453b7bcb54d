import { type AnswerKind, type Question, t } from '@switchroom/contract'
import { SelectField } from '../../ui/select'
import { TextArea, TextField } from '../../ui/text-field'
import { type AnswerField, CONTROLS, fieldKey, moreFieldsOf, type Typed } from './answer-controls'

export type Inputs = {
  typed: Typed
  onType: (key: string, text: string) => void
  /** The error to show, and the field it belongs to. */
  problem: { key: string; text: string } | undefined
}

/** One thing to say about an answer. */
export function AnswerInput({
  kind,
  field,
  targets,
  typed,
  onType,
  problem,
}: Inputs & { kind: AnswerKind; field: AnswerField; targets: Question['targets'] }) {
  const key = fieldKey(kind, field.name)
  const common = {
    label: field.label,
    help: field.help,
    value: typed[key] ?? '',
    onChange: (text: string) => onType(key, text),
    error: problem?.key === key ? problem.text : undefined,
  }
  const { type, options } = field
  if (type === 'json') return <TextArea {...common} mono rows={3} placeholder="{}" />
  if (type === 'choice') return <SelectField {...common} options={options ?? []} />
  if (type === 'target')
    return (
      <SelectField
        {...common}
        options={targets.map(({ to }, n) => ({ value: n === 0 ? '' : String(n), label: to }))}
      />
    )
  if (type === 'text') return <TextField {...common} />
  return <TextField {...common} mono inputMode={type === 'keys' ? 'tel' : 'decimal'} />
}

/** Optional fields of a question's answers, collapsed until needed. */
export function MoreInputs({ question, ...inputs }: Inputs & { question: Question }) {
  const { targets } = question
  // both are words that are said
  const kinds = question.answers.filter((kind) => kind !== 'low_confidence')
  return (
    <details className="run-more">
      <summary>{t('More options')}</summary>
      {kinds.map((kind) => {
        const fields = moreFieldsOf(kind, targets.length)
        if (fields.length === 0) return null
        return (
          <fieldset key={kind}>
            <legend>{CONTROLS[kind].label}</legend>
            {fields.map((field) => (
              <AnswerInput key={field.name} {...inputs} {...{ kind, field, targets }} />
            ))}
          </fieldset>
        )
      })}
    </details>
  )
}
