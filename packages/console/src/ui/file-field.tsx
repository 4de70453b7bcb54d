import { Field, type FieldProps, useReadOnly } from './field'
import './file-field.css'

/** A file input. `chosen` describes the current value. */
export function FileField({
  accept,
  chosen,
  onFile,
  ...field
}: FieldProps & { accept: string; chosen: string; onFile: (file: File) => unknown }) {
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
              disabled={field.disabled}
              onChange={(e) => {
                const file = e.target.files?.[0]
                if (file) onFile(file)
              }}
            />
          )}
        </div>
      )}
    </Field>
  )
}
