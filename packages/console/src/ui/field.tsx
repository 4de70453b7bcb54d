import { t } from '@switchroom/contract'
import { createContext, type ReactNode, useContext, useId } from 'react'
import './field.css'

/** Props of every field. The error replaces the help. */
export type FieldProps = {
  label: string
  help?: ReactNode
  error?: ReactNode
  optional?: boolean | undefined
  disabled?: boolean | undefined
}

const ReadOnly = createContext(false)
/** Makes all fields inside read-only, for users who may not write. */
export const ReadOnlyFields = ReadOnly.Provider
export const useReadOnly = () => useContext(ReadOnly)

/** Props that tie a control to its label, help and error. */
export type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, control, help or error below. */
export function Field({
  label,
  help,
  error,
  optional,
  action,
  children,
}: FieldProps & { action?: ReactNode; children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const note = error ?? help
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>
          {label}
          {optional && <span className="field-optional"> {t('(optional)')}</span>}
        </label>
        {action}
      </div>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note && <Note id={`${id}-note`} error={!!error} text={note} />}
    </div>
  )
}

export function Note({ id, error, text }: { id: string; error: boolean; text: ReactNode }) {
  return (
    <div id={id} className={error ? 'field-error' : 'field-help'}>
      {text}
    </div>
  )
}
