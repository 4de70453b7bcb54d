import { t } from '@switchroom/contract'
import { useState } from 'react'
import { Button } from './button'
import { Field, type FieldProps, useReadOnly } from './field'
import { PasswordField } from './text-field'
import './secret-field.css'

/**
 * A stored secret: shows whether it is set, and accepts a new value. `undefined` keeps the stored one, ''
 * removes it. An input never contains a masked value.
 */
export function SecretField({
  isSet,
  value,
  onChange,
  onBlur,
  ...field
}: FieldProps & {
  isSet: boolean
  value: string | undefined
  onChange: (value: string | undefined) => void
  onBlur?: () => void
}) {
  const readOnly = useReadOnly()
  const [replacing, setReplacing] = useState(false)
  if (!isSet && !readOnly)
    return <PasswordField {...field} value={value ?? ''} onChange={onChange} onBlur={onBlur} />

  const keep = () => {
    setReplacing(false)
    onChange(undefined)
  }
  if (replacing)
    return (
      <div className="secret-replace">
        <PasswordField
          {...field}
          autoFocus
          value={value ?? ''}
          onChange={onChange}
          onBlur={onBlur}
        />
        <Button size="small" look="quiet" onClick={keep}>
          {t('Keep current value')}
        </Button>
      </div>
    )
  const removed = value === ''
  return (
    <Field {...field}>
      {(control) => (
        <div className="secret">
          <output id={control.id} aria-describedby={control['aria-describedby']}>
            {removed ? t('Will be removed') : isSet ? t('Set') : t('Not set')}
          </output>
          {!readOnly && (
            <>
              <Button size="small" onClick={() => setReplacing(true)}>
                {t('Replace')}
              </Button>
              {field.optional && (
                <Button
                  size="small"
                  look="quiet"
                  onClick={() => onChange(removed ? undefined : '')}
                >
                  {removed ? t('Keep') : t('Remove')}
                </Button>
              )}
            </>
          )}
        </div>
      )}
    </Field>
  )
}
