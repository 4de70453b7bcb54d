import { useId } from 'react'
import { type FieldProps, Note, useReadOnly } from './field'
import type { SelectOption } from './select'
import './radio-field.css'

/** One of a few options that should all be visible. */
export function RadioField({
  label,
  help,
  error,
  disabled,
  options,
  value,
  onChange,
}: FieldProps & {
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
}) {
  const id = useId()
  const readOnly = useReadOnly()
  const note = error ?? help
  return (
    <fieldset className="radios" aria-describedby={note ? `${id}-note` : undefined}>
      <legend>{label}</legend>
      {options.map((o) => (
        <label key={o.value}>
          <input
            type="radio"
            name={id}
            value={o.value}
            checked={o.value === value}
            disabled={(disabled ?? false) || readOnly || o.disabled}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange(o.value)}
          />
          {o.label}
        </label>
      ))}
      {note && <Note id={`${id}-note`} error={!!error} text={note} />}
    </fieldset>
  )
}
