import { type ReactNode, useId } from 'react'
import { type FieldProps, Note, useReadOnly } from './field'
import './toggle.css'

type ToggleProps = Omit<FieldProps, 'label'> & {
  /** May contain links. */
  label: ReactNode
  value: boolean
  onChange: (value: boolean) => void
  onBlur?: () => void
  /** Fields that apply only while this is on. */
  children?: ReactNode
}

function Toggle({
  kind,
  label,
  help,
  error,
  disabled,
  value,
  onChange,
  onBlur,
  children,
}: ToggleProps & { kind: 'checkbox' | 'switch' }) {
  const id = useId()
  const readOnly = useReadOnly()
  const note = error ?? help
  return (
    <div className="toggle">
      <div className="toggle-line">
        <input
          type="checkbox"
          {...(kind === 'switch' && { role: 'switch' })}
          id={id}
          className={kind}
          checked={value}
          disabled={disabled || readOnly}
          aria-describedby={note ? `${id}-note` : undefined}
          aria-invalid={error ? true : undefined}
          onBlur={onBlur}
          onChange={(e) => onChange(e.target.checked)}
        />
        <div className="toggle-text">
          <label htmlFor={id}>{label}</label>
          {note && <Note id={`${id}-note`} error={!!error} text={note} />}
        </div>
      </div>
      {value && children && <div className="toggle-more">{children}</div>}
    </div>
  )
}

/** A yes or no that is saved with the form. */
export const Checkbox = (props: ToggleProps) => <Toggle kind="checkbox" {...props} />

/** Turns something on or off. */
export const Switch = (props: ToggleProps) => <Toggle kind="switch" {...props} />
