import { REPORTED_USAGES, t, VOICE_CLONING_KEY_MAX_BYTES } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { errorOf, useFieldContext, useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { removeRow } from '../../lib/form-rows'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { FileField } from '../../ui/file-field'
import { Notice } from '../../ui/notice'
import { Columns, Section } from '../../ui/section'
import type { SpeechValues } from './values'
import { blankVoice, LAST_VOICE, previewOf, type VoiceValues } from './voice-values'

const USAGES = REPORTED_USAGES.map((value) => ({ value, label: value }))

/** Custom voices of the credential, which the vendor has made for this customer. */
export function Voices({ form, vendor }: { form: FormLike<SpeechValues>; vendor: string }) {
  const readOnly = useReadOnly()
  const [last, setLast] = useState(false)
  const path = `settings.${vendor}`
  const list = `${path}.voices`
  const voicesIn = (settings: SpeechValues['settings']) => settings[vendor]?.voices ?? []
  const rows = () => voicesIn(form.getFieldValue('settings'))
  const tick = (on: boolean) => {
    if (on && rows().length === 0) form.setFieldValue(list, [blankVoice()])
  }
  const remove = (i: number) => {
    setLast(rows().length === 1)
    if (rows().length > 1) removeRow(form, list, i)
  }
  return (
    <Section title={t('Custom voices')} about={t('At least one Custom voice is required.')}>
      <form.AppField name={`${path}.use_custom_voices`}>
        {(f) => (
          <f.Checkbox label={t('Use custom voices')} onChange={tick}>
            <form.AppField name={list}>{() => <ListField />}</form.AppField>
            <form.Subscribe selector={(s) => voicesIn(s.values.settings)}>
              {(voices) => (
                <ol className="speech-voices">
                  {voices.map((voice, i) => (
                    <li key={voice.key}>
                      <Voice form={form} name={`${list}[${i}]`} voice={voice} n={i + 1}>
                        {!readOnly && (
                          <IconButton label={t('Delete custom voice')} onClick={() => remove(i)}>
                            <Trash2 />
                          </IconButton>
                        )}
                      </Voice>
                    </li>
                  ))}
                </ol>
              )}
            </form.Subscribe>
            {last && <Notice tone="bad">{LAST_VOICE}</Notice>}
            {!readOnly && (
              <div>
                <Button
                  size="small"
                  onClick={() => {
                    setLast(false)
                    form.setFieldValue(list, [...rows(), blankVoice()])
                  }}
                >
                  <Plus aria-hidden />
                  {t('Add voice')}
                </Button>
              </div>
            )}
          </f.Checkbox>
        )}
      </form.AppField>
    </Section>
  )
}

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<VoiceValues>(
    t('Custom voices'),
    (rows) => rows.map((v) => v.name).join(', ') || t('None'),
  )
  return null
}

function Voice({
  form,
  name,
  voice,
  n,
  children,
}: {
  form: FormLike
  name: string
  voice: VoiceValues
  n: number
  children: React.ReactNode
}) {
  return (
    <fieldset className="speech-voice" aria-label={voice.name || t('Custom voice {n}', { n })}>
      <div className="speech-voice-head">
        <Columns>
          <form.TextField
            name={`${name}.name`}
            label={t('Name')}
            placeholder={t('Assigned name')}
            maxLength={64}
          />
          <form.SelectField
            name={`${name}.reported_usage`}
            label={t('Reported usage')}
            options={USAGES}
          />
        </Columns>
        {children}
      </div>
      <form.Checkbox name={`${name}.use_voice_cloning_key`} label={t('Use voice cloning key')} />
      {voice.use_voice_cloning_key ? (
        <form.AppField name={`${name}.voice_cloning_key`}>
          {() => <CloningKeyField preview={voice.preview} />}
        </form.AppField>
      ) : (
        <form.TextField name={`${name}.model`} label={t('Model')} maxLength={512} />
      )}
    </fieldset>
  )
}

function CloningKeyField({ preview }: { preview: string | undefined }) {
  const { state, handleChange } = useFieldContext<string | undefined>()
  const [wrong, setWrong] = useState<string>()
  const keyText = state.value ? previewOf(state.value) : preview
  const choose = async (file: File) => {
    const tooLong = file.size > VOICE_CLONING_KEY_MAX_BYTES
    const text = tooLong ? '' : (await file.text().catch(() => '')).trim()
    setWrong(
      tooLong
        ? t('At most {VOICE_CLONING_KEY_MAX_BYTES} kB', {
            VOICE_CLONING_KEY_MAX_BYTES: VOICE_CLONING_KEY_MAX_BYTES / 1000,
          })
        : text === ''
          ? t('This file is empty')
          : undefined,
    )
    if (text !== '') handleChange(text)
  }
  return (
    <>
      <FileField
        label={t('Voice cloning key')}
        accept=".txt,.json,.key,text/plain,application/json"
        chosen={state.value ? t('New key selected') : preview ? t('Set') : t('Not set')}
        error={wrong ?? errorOf(state.meta)}
        onFile={choose}
      />
      {keyText && <p className="speech-voice-key">{keyText}</p>}
    </>
  )
}
