import { t } from '@switchroom/contract'
import { Copy } from 'lucide-react'
import { IconButton } from './button'
import { copyWithToast } from './copy'
import { Field, type FieldProps } from './field'
import './sid.css'

/** A value with a copy button. `secret` keeps it out of the confirmation. */
export function CopyBox({
  value,
  secret,
  ...field
}: FieldProps & { value: string; secret?: boolean }) {
  return (
    <Field {...field}>
      {(control) => (
        <div className="copy-box">
          <output id={control.id} aria-describedby={control['aria-describedby']}>
            {value}
          </output>
          <IconButton
            label={t('Copy {label}', { label: field.label })}
            onClick={() => void copyWithToast(value, secret ? field.label : value)}
          >
            <Copy />
          </IconButton>
        </div>
      )}
    </Field>
  )
}
