import { t } from '@switchroom/contract'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './button'
import { Field, type FieldProps, useReadOnly } from './field'

type Value = {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}
type Native<T extends 'input' | 'textarea'> = Omit<
  ComponentProps<T>,
  'value' | 'onChange' | 'onBlur' | 'id'
>

/** One line of text. `mono` for sids, addresses and numbers in E.164. */
export function TextField({
  label,
  help,
  error,
  optional,
  value,
  onChange,
  onBlur,
  mono,
  ...input
}: FieldProps & Value & Native<'input'> & { mono?: boolean }) {
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <input
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          {...input}
          {...control}
          className={mono ? 'input input-mono' : 'input'}
          value={value}
          onBlur={onBlur}
          onChange={(e) => onChange(e.target.value)}
        />
      )}
    </Field>
  )
}

/** A password input that can be made visible. Pasting always works. */
export function PasswordField({
  label,
  help,
  error,
  optional,
  value,
  onChange,
  onBlur,
  ...input
}: FieldProps & Value & Native<'input'>) {
  const [isVisible, setIsVisible] = useState(false)
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <div className="input-group">
          <input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={readOnly}
            {...input}
            {...control}
            type={isVisible ? 'text' : 'password'}
            className="input"
            value={value}
            onBlur={onBlur}
            onChange={(e) => onChange(e.target.value)}
          />
          <IconButton
            label={isVisible ? t('Hide text') : t('Show text')}
            aria-pressed={isVisible}
            onClick={() => setIsVisible(!isVisible)}
          >
            {isVisible ? <EyeOff /> : <Eye />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}

export function TextArea({
  label,
  help,
  error,
  optional,
  value,
  onChange,
  onBlur,
  mono,
  ...area
}: FieldProps & Value & Native<'textarea'> & { mono?: boolean }) {
  const readOnly = useReadOnly()
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <textarea
          spellCheck={!mono}
          readOnly={readOnly}
          rows={4}
          {...area}
          {...control}
          className={mono ? 'input input-mono' : 'input'}
          value={value}
          onBlur={onBlur}
          onChange={(e) => onChange(e.target.value)}
        />
      )}
    </Field>
  )
}
