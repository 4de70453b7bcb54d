import { NumberField as Base } from '@base-ui/react/number-field'
import { Field, type FieldProps, useReadOnly } from './field'

const plain = { useGrouping: false } as const

/** A whole number, or nothing. */
export function NumberField({
  label,
  help,
  error,
  optional,
  disabled,
  value,
  onChange,
  onBlur,
  min,
  placeholder,
}: FieldProps & {
  value: number | null
  onChange: (value: number | null) => void
  onBlur?: () => void
  /** For the arrow keys. What is typed below it is left to be refused, not corrected unseen. */
  min?: number
  placeholder?: string
}) {
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <Base.Root
          value={value}
          // while it is being typed, so that the form knows of it at once
          onValueChange={onChange}
          format={plain}
          readOnly={readOnly}
          disabled={disabled ?? false}
          allowOutOfRange
          {...(min !== undefined && { min })}
        >
          <Base.Input
            {...control}
            className="input numbers"
            placeholder={placeholder}
            onBlur={onBlur}
          />
        </Base.Root>
      )}
    </Field>
  )
}
