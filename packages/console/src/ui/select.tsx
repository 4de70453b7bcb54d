import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Field, type FieldProps, useReadOnly } from './field'
import './select.css'

export type SelectOption = { value: string; label: string; disabled?: boolean }

/**
 * The browser's own select, for its keyboard and touch support. Styled like our other lists where the browser
 * supports `appearance: base-select`.
 */
export function Select({
  options,
  value,
  onChange,
  compact,
  ...select
}: Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
  compact?: boolean
}) {
  return (
    <div className={compact ? 'select select-compact' : 'select'}>
      <select
        {...select}
        className="input"
        value={value}
        onChange={(e) => onChange(e.target.value)}
      >
        {options.map((o) => (
          <option key={o.value} value={o.value} disabled={o.disabled}>
            {o.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden />
    </div>
  )
}

/** One of a few options. For many, use `ComboboxField`. */
export function SelectField({
  label,
  help,
  error,
  optional,
  disabled,
  onBlur,
  ...props
}: FieldProps & {
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}) {
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <Select
          {...props}
          {...control}
          onBlur={onBlur}
          disabled={(disabled ?? false) || readOnly}
        />
      )}
    </Field>
  )
}
