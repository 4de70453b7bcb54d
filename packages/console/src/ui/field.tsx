import { createContext, type ReactNode, useContext, useId } from 'react'
import './field.css'

/** What every field takes. The error stands in place of the help. */
export type FieldProps = {
  label: string
  help?: ReactNode
  error?: ReactNode
  optional?: boolean | undefined
  disabled?: boolean | undefined
}

const ReadOnly = createContext(false)
/** Around a form whose reader may not write: every field below only shows its value. */
export const ReadOnlyFields = ReadOnly.Provider
export const useReadOnly = () => useContext(ReadOnly)

/** What a control needs so that its label, help and error are its own. */
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
          {optional && <span className="field-optional"> (optional)</span>}
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
