import { t } from '@switchroom/contract'
import { useState } from 'react'
import { fieldComponents, useFieldContext } from '../../lib/form-fields'
import { Button } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { Checkbox } from '../../ui/toggle'
import { jsonProblem, prettyJson } from './options-json'

const { TextArea } = fieldComponents

/** Options in the vendor's own JSON format. Unticking the checkbox clears them. */
export function JsonField({
  label,
  docs,
  preset,
}: {
  label: string
  docs?: string | undefined
  /** Inserted when it is ticked for the first time. */
  preset: object | undefined
}) {
  const readOnly = useReadOnly()
  const field = useFieldContext<string>()
  const { value } = field.state
  const [open, setOpen] = useState(value !== '')
  // ticking it again restores what was there
  const [before, setBefore] = useState(preset ? JSON.stringify(preset, null, 2) : '')
  const toggle = (on: boolean) => {
    setOpen(on)
    if (!on) setBefore(value)
    field.handleChange(on ? before : '')
  }
  const problem = jsonProblem(value)
  return (
    <Checkbox label={label} value={open || value !== ''} onChange={toggle}>
      <TextArea label={t('Options')} mono rows={6} placeholder={t('extra options in JSON')} />
      <div className="speech-json-actions">
        {!readOnly && (
          <Button
            size="small"
            disabled={value.trim() === ''}
            onClick={() =>
              problem
                ? field.setMeta((meta) => ({
                    ...meta,
                    errorMap: { ...meta.errorMap, onSubmit: problem },
                  }))
                : field.handleChange(prettyJson(value))
            }
          >
            {t('Beautify')}
          </Button>
        )}
        {docs && (
          <a href={docs} target="_blank" rel="noreferrer">
            {t('Docs')}
          </a>
        )}
      </div>
    </Checkbox>
  )
}
