import { type AppEnvVariable, t } from '@switchroom/contract'
import { useRef, useState } from 'react'
import { errorOf, useFieldContext } from '../lib/form-fields'
import { useCarrierChoices } from '../lib/pickers'
import { Button } from '../ui/button'
import { ComboboxField } from '../ui/combobox-field'
import { useReadOnly } from '../ui/field'
import { SelectField } from '../ui/select'
import { PasswordField, TextArea, TextField } from '../ui/text-field'
import { Checkbox } from '../ui/toggle'
import { displayValue } from './environment'
import { withStoredOption } from './speech-choices'

type Entry = {
  label: string
  help: string
  error: string | undefined
  optional: boolean
  value: string
  onChange: (value: string) => void
}

/** One variable, with the input its schema asks for. */
export function EnvVariable({
  name,
  spec,
  account_sid,
}: {
  name: string
  spec: AppEnvVariable
  account_sid: string
}) {
  const field = useFieldContext<unknown>()
  const value = displayValue(field.state.value, spec)
  const entry: Entry = {
    label: name,
    help: spec.description,
    error: errorOf(field.state.meta),
    optional: !spec.required,
    value: value === undefined ? '' : String(value),
    onChange: field.handleChange,
  }
  const { uiHint, enum: choices, jambonzResource, obscure = false } = spec
  if (choices) return <Choice {...entry} choices={choices.map(String)} />
  if (jambonzResource === 'carriers') return <CarrierName {...entry} account_sid={account_sid} />
  if (spec.type === 'boolean')
    return <Checkbox {...entry} value={entry.value === 'true'} onChange={field.handleChange} />
  if (uiHint === 'textarea' || uiHint === 'filepicker')
    return <LongText {...entry} obscure={obscure} fromFile={uiHint === 'filepicker'} />
  if (obscure) return <PasswordField {...entry} />
  return <TextField {...entry} {...(spec.type === 'number' && { inputMode: 'decimal' })} />
}

/** Starts empty, so that what is shown is what is sent. */
function Choice({ choices, ...entry }: Entry & { choices: string[] }) {
  const options = choices.map((value) => ({ value, label: value }))
  const none = { value: '', label: entry.optional ? t('None') : t('Choose one') }
  return <SelectField {...entry} options={[none, ...withStoredOption(options, entry.value)]} />
}

function CarrierName({ account_sid, ...entry }: Entry & { account_sid: string }) {
  const { isEmpty, options, ...choices } = useCarrierChoices(account_sid)
  const names = options.map((o) => ({ ...o, value: o.label }))
  return (
    <ComboboxField
      {...entry}
      {...choices}
      placeholder={t('Choose a carrier')}
      options={withStoredOption(names, entry.value)}
      none={isEmpty ? t('There are no carriers') : undefined}
    />
  )
}

function LongText({
  obscure,
  fromFile,
  ...entry
}: Entry & { obscure: boolean; fromFile: boolean }) {
  const [hidden, setHidden] = useState(obscure)
  const [failure, setFailure] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const readOnly = useReadOnly()
  const read = (file: File | undefined) =>
    file
      ?.text()
      .then((text) => {
        setFailure(undefined)
        entry.onChange(text)
      })
      .catch((e: Error) => setFailure(t('Failed to read file: {message}', { message: e.message })))
  return (
    <div className={hidden ? 'env-long env-hidden' : 'env-long'}>
      <TextArea
        {...entry}
        onChange={(text) => {
          setFailure(undefined)
          entry.onChange(text)
        }}
        error={failure ?? entry.error}
        mono
        rows={6}
      />
      <div className="env-long-actions">
        {fromFile && !readOnly && (
          <>
            <input
              ref={picker}
              type="file"
              hidden
              aria-label={t('File for {label}', { label: entry.label })}
              onChange={(e) => {
                void read(e.target.files?.[0])
                // otherwise choosing the same file again, after editing it, fires no event
                e.target.value = ''
              }}
            />
            <Button size="small" onClick={() => picker.current?.click()}>
              {t('Choose a file')}
            </Button>
          </>
        )}
        {obscure && (
          <Button
            size="small"
            look="quiet"
            aria-label={
              hidden
                ? t('Show text of {label}', { label: entry.label })
                : t('Hide text of {label}', { label: entry.label })
            }
            onClick={() => setHidden(!hidden)}
          >
            {hidden ? t('Show text') : t('Hide text')}
          </Button>
        )}
      </div>
    </div>
  )
}
