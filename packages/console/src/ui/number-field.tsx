import { NumberField as Base } from '@base-ui/react/number-field'
import { Field, type FieldProps, useReadOnly } from './field'

const plain = { useGrouping: false } as const

/** A whole number, or null. */
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
  /** Lower limit of the arrow keys. A smaller typed value is left to validation. */
  min?: number
  placeholder?: string
}) {
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <Base.Root
          value={value}
          // on every key, so that the form is up to date
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
