import {
  type CatalogueWithSource,
  type SpeechCredentialView,
  t,
  type Vendor,
} from '@switchroom/contract'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { messageOf } from '../../lib/failure'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button } from '../../ui/button'
import { ComboboxField } from '../../ui/combobox-field'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { Columns, Section } from '../../ui/section'
import { TextField } from '../../ui/text-field'
import { Recorder } from '../recorder'
import { SpeechSample } from '../speech-sample'
import { useCatalogue } from './catalogue'
import { CatalogueSource } from './catalogue-source'
import './form.css'

type Row = SpeechCredentialView

/** Tries text-to-speech and speech-to-text with the saved credential. Nothing if the server cannot do it. */
export function LiveTests({ row, vendor, dirty }: { row: Row; vendor: Vendor; dirty: boolean }) {
  const [open, setOpen] = useState(false)
  const ours = useCapabilities()
  if (!ours || !mayWrite() || (!row.use_for_tts && !row.use_for_stt)) return null
  if (!open)
    return (
      <div className="speech-trials">
        <Section
          title={t('Try it out')}
          about={t('Listen to its voices and transcribe recordings.')}
        >
          <div>
            <Button onClick={() => setOpen(true)}>{t('Try voices and recordings')}</Button>
          </div>
        </Section>
      </div>
    )
  return (
    <div className="speech-trials">
      <Open {...{ row, vendor, dirty }} />
    </div>
  )
}

function Open({ row, vendor, dirty }: { row: Row; vendor: Vendor; dirty: boolean }) {
  const provider = useCurrentProvider()
  const own = ownAccount()
  const owner = own ? { account_sid: own } : { service_provider_sid: provider }
  const { speech_credential_sid, label } = row
  const result = useCatalogue(row.vendor, { speech_credential_sid, label }, !vendor.unlisted)
  const trial = { owner, speech_credential_sid }
  return (
    <>
      {row.use_for_tts ? (
        <Section title={t('Voices')} about={<CatalogueSource of={result.data} />}>
          {dirty && (
            <Notice tone="info">
              {t('Uses the saved credential, without your unsaved changes.')}
            </Notice>
          )}
          {result.error && (
            <Notice tone="warn">
              {rich('Could not load the vendor’s list: {message}', {
                message: messageOf(result.error),
              })}
            </Notice>
          )}
          <Voice {...trial} catalogue={result.data} loading={result.isLoading} />
        </Section>
      ) : null}
      {row.use_for_stt ? (
        <Section title={t('Transcription')} about={t('Transcribe a short recording.')}>
          <Listener {...trial} catalogue={result.data} loading={result.isLoading} />
        </Section>
      ) : null}
    </>
  )
}

type Trial = {
  owner: Parameters<typeof SpeechSample>[0]['owner']
  speech_credential_sid: string
  catalogue: CatalogueWithSource | undefined
  loading: boolean
}
type Choice = { value: string; name: string }
const optionsOf = (list: readonly Choice[]) =>
  list
    .map(({ value, name }) => ({ value, label: name }))
    .sort((a, b) => a.label.localeCompare(b.label))

const DEFAULT_LANGUAGE = 'en-US'
const defaultLanguage = (list: readonly Choice[]) =>
  (
    list.find((l) => l.value === DEFAULT_LANGUAGE) ??
    list.find((l) => l.value.startsWith('en')) ??
    list[0]
  )?.value ?? ''

function Voice({ owner, speech_credential_sid, catalogue, loading }: Trial) {
  const languages = catalogue?.tts ?? []
  const [language, setLanguage] = useState<string>()
  const [voice, setVoice] = useState<string>()
  const spoken = language ?? (defaultLanguage(languages) || DEFAULT_LANGUAGE)
  const voices = languages.find((l) => l.value === spoken)?.voices ?? catalogue?.models ?? []
  const chosen = voice ?? voices[0]?.value ?? ''
  return (
    <>
      <Columns>
        <ChoiceOrText
          label={t('Language')}
          {...{ loading, value: spoken }}
          options={languages}
          onChange={(next) => {
            setLanguage(next)
            setVoice(undefined)
          }}
        />
        <ChoiceOrText
          label={t('Voice')}
          {...{ loading, value: chosen }}
          options={voices}
          onChange={setVoice}
        />
      </Columns>
      <SpeechSample {...{ owner, speech_credential_sid }} language={spoken} voice={chosen} />
    </>
  )
}

function Listener({ owner, speech_credential_sid, catalogue, loading }: Trial) {
  const languages = catalogue?.stt ?? []
  const [language, setLanguage] = useState<string>()
  const heard = language ?? defaultLanguage(languages)
  return (
    <>
      <ChoiceOrText
        label={t('Language')}
        {...{ loading, value: heard }}
        options={languages}
        onChange={setLanguage}
      />
      <Recorder {...{ owner, speech_credential_sid }} language={heard} />
    </>
  )
}

/** A choice from the vendor's list, or a text field if there is none. */
const ChoiceOrText = ({
  label,
  value,
  options,
  loading,
  onChange,
}: {
  label: string
  value: string
  options: readonly Choice[]
  loading: boolean
  onChange: (value: string) => void
}) =>
  options.length > 0 || loading ? (
    <ComboboxField {...{ label, value, loading, onChange }} options={optionsOf(options)} />
  ) : (
    <TextField {...{ label, value, onChange }} />
  )
