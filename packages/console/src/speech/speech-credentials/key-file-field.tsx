import { type Field, fieldSchema, t } from '@switchroom/contract'
import { useState } from 'react'
import { errorOf, useFieldContext } from '../../lib/form-fields'
import { isRecord } from '../../lib/records'
import { FileField } from '../../ui/file-field'

function members(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The key file of a service account. Its content is never shown. */
export function KeyFileField({
  field,
  isSet,
  help,
}: {
  field: Field & { kind: 'key_file' }
  isSet: boolean
  help?: string | undefined
}) {
  const { state, handleChange } = useFieldContext<string | undefined>()
  const [wrong, setWrong] = useState<string>()
  const of = members(state.value)?.client_email
  return (
    <FileField
      label={field.label}
      accept=".json,application/json"
      help={help ?? (isSet && !state.value && t('Stored. Choose a file to replace it.'))}
      chosen={
        state.value
          ? typeof of === 'string'
            ? t('Key of {of}', { of })
            : t('A key is chosen')
          : isSet
            ? t('Set')
            : t('Not set')
      }
      error={wrong ?? errorOf(state.meta)}
      onFile={async (file) => {
        const text = await file.text().catch(() => '')
        const problem = fieldSchema(field).safeParse(text).error?.issues[0]?.message
        setWrong(problem)
        if (!problem) handleChange(text)
      }}
    />
  )
}
