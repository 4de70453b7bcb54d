import { t } from '@switchroom/contract'
import type { FormLike } from '../../lib/form-like'
import type { AnswerField as Shape } from '../runs/answer-controls'

/** A field of an answer, as it is described. */
export const AnswerField = ({
  form,
  name,
  field,
}: {
  form: FormLike
  /** The field's name in the form. */
  name: string
  field: Shape
}) => (
  <form.AppField name={name}>
    {(f) => {
      const { label, help } = field
      switch (field.type) {
        case 'choice':
          return <f.SelectField label={label} options={field.options ?? []} />
        case 'json':
          return <f.TextArea label={label} help={help} rows={1} mono />
        case 'keys':
          return <f.TextField label={label} mono inputMode="tel" placeholder="123#" />
        case 'text':
          return field.required ? (
            <f.TextArea label={label} rows={1} />
          ) : (
            <f.TextField label={label} />
          )
        case 'target':
          return <f.TextField label={t('Target, from 0')} inputMode="numeric" />
        default:
          return <f.TextField label={label} inputMode="decimal" />
      }
    }}
  </form.AppField>
)
