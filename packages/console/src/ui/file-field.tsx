import { Field, type FieldProps, useReadOnly } from './field'
import './file-field.css'

/** A file whose text is wanted, not the file. `chosen` says what is there. */
export function FileField({
  accept,
  chosen,
  onText,
  ...field
}: FieldProps & { accept: string; chosen: string; onText: (text: string) => void }) {
  const readOnly = useReadOnly()
  return (
    <Field {...field}>
      {(control) => (
        <div className="file">
          <span>{chosen}</span>
          {!readOnly && (
            <input
              {...control}
              type="file"
              accept={accept}
              onChange={async (e) => {
                const file = e.target.files?.[0]
                if (file) onText(await file.text())
              }}
            />
          )}
        </div>
      )}
    </Field>
  )
}
