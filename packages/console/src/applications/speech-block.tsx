import { t } from '@switchroom/contract'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { FormLike } from '../lib/form-like'
import { recordOf } from '../lib/records'
import { SpeechSample } from '../speech/speech-sample'
import { Columns } from '../ui/section'
import { CatalogueNote } from './catalogue-note'
import {
  byName,
  credentialFor,
  customVoices,
  defaultLabel,
  isListed,
  isMultilingual,
  isVoiceTyped,
  listsModels,
  type SpeechChoice,
  voicesOf,
} from './speech-choices'
import { pickRecognizerLanguage, pickSynthesis, pickVoice } from './speech-defaults'
import { ChoiceField, type Name, type Part, VendorFields } from './speech-fields'
import { type OfferedLists, type SpeechSources, useOfferedLists } from './speech-lists'

type Prefix = '' | 'fallback_'
type Values = Record<Part, string>
type DirectionProps = { form: FormLike; name: Name; of: SpeechSources; values: Values }

const PARTS: Part[] = ['vendor', 'label', 'language', 'voice']

/** Re-renders with the current choices of one direction. */
function WithValues({
  form,
  name,
  children,
}: {
  form: FormLike
  name: Name
  children: (values: Values) => ReactNode
}) {
  return (
    <form.Subscribe selector={(s) => recordOf(PARTS, (part) => String(s.values[name(part)] ?? ''))}>
      {children}
    </form.Subscribe>
  )
}

/**
 * Adjusts dependent fields after the user's own choice, once the lists for it are loaded. A list that merely
 * loads changes nothing.
 */
function usePickWhenLoaded(
  chosen: SpeechChoice,
  offered: OfferedLists,
  pick: (before: Values) => void,
) {
  const [waiting, setWaiting] = useState<{ vendor: string; label: string; before: Values }>()
  const { vendor, label } = chosen
  useEffect(() => {
    if (!waiting || !offered.isComplete || waiting.vendor !== vendor || waiting.label !== label)
      return
    setWaiting(undefined)
    pick(waiting.before)
  })
  return (next: { vendor: string; label: string }, before: Values) =>
    setWaiting(isListed(next.vendor) ? { ...next, before } : undefined)
}

function Synthesis({ form, name, of, values }: DirectionProps) {
  const { vendor, label, language, voice } = values
  const chosen: SpeechChoice = { vendor, label, account_sid: of.account_sid, use: 'tts' }
  const offered = useOfferedLists(of, chosen)
  const { catalogue } = offered
  const own = useMemo(() => customVoices(offered.own), [offered.own])
  const set = (part: Part, value: string) => form.setFieldValue(name(part), value)
  const use = (next: { language: string; voice: string }) => {
    set('language', next.language)
    set('voice', next.voice)
  }
  const pickLater = usePickWhenLoaded(chosen, offered, (before) =>
    use(
      pickSynthesis(
        vendor,
        catalogue,
        before,
        own.map((v) => v.value),
      ),
    ),
  )
  const chooseVendor = (next: string) => {
    const first = defaultLabel(of.credentials, { ...chosen, vendor: next })
    set('label', first)
    set('voice', '')
    pickLater({ vendor: next, label: first }, values)
  }
  const languages = useMemo(() => byName(catalogue.tts ?? []), [catalogue])
  const voices = useMemo(
    () => [...byName(own), ...byName(voicesOf(vendor, catalogue, language))],
    [own, vendor, catalogue, language],
  )
  const credential = credentialFor(of.credentials, chosen)
  return (
    <>
      <VendorFields
        {...{ form, name, of, chosen }}
        onVendor={chooseVendor}
        onLabel={(next) => pickLater({ vendor, label: next }, values)}
      />
      <Columns>
        {!listsModels(vendor) && (
          <ChoiceField
            {...{ form, offered }}
            name={name('language')}
            label={t('Language')}
            options={languages}
            stored={language}
            onChange={(next) =>
              offered.isComplete && set('voice', pickVoice(vendor, catalogue, next))
            }
          />
        )}
        <ChoiceField
          {...{ form, offered }}
          name={name('voice')}
          label={listsModels(vendor) ? t('Model') : t('Voice')}
          options={voices}
          stored={voice}
          text={isVoiceTyped(vendor, credential)}
        />
      </Columns>
      <CatalogueNote vendor={vendor} offered={offered} />
      {credential && (
        <SpeechSample
          owner={of.owner}
          speech_credential_sid={credential.speech_credential_sid}
          language={language}
          voice={voice}
        />
      )}
    </>
  )
}

function Recognizer({ form, name, of, values }: DirectionProps) {
  const { vendor, label, language } = values
  const chosen: SpeechChoice = { vendor, label, account_sid: of.account_sid, use: 'stt' }
  const offered = useOfferedLists(of, chosen)
  const { catalogue } = offered
  const set = (part: Part, value: string) => form.setFieldValue(name(part), value)
  const pick = (next: string, before: Values) =>
    set('language', pickRecognizerLanguage(next, catalogue, before.language))
  const pickLater = usePickWhenLoaded(chosen, offered, (before) => pick(vendor, before))
  const chooseVendor = (next: string) => {
    const first = defaultLabel(of.credentials, { ...chosen, vendor: next })
    set('label', first)
    // an unlisted vendor never loads, so its language is picked at once
    if (!isListed(next) && isMultilingual(next)) pick(next, values)
    pickLater({ vendor: next, label: first }, values)
  }
  const languages = useMemo(() => byName(catalogue.stt ?? []), [catalogue])
  return (
    <>
      <VendorFields
        {...{ form, name, of, chosen }}
        onVendor={chooseVendor}
        onLabel={(next) => pickLater({ vendor, label: next }, values)}
      />
      {isMultilingual(vendor) && (
        <Columns>
          <ChoiceField
            {...{ form, offered }}
            name={name('language')}
            label={t('Language')}
            options={languages}
            stored={language}
          />
        </Columns>
      )}
      <CatalogueNote vendor={vendor} offered={offered} />
    </>
  )
}

/** Text-to-speech and speech-to-text of an application, primary or fallback. */
export function SpeechBlock({
  form,
  prefix,
  of,
}: {
  form: FormLike
  prefix: Prefix
  of: SpeechSources
}) {
  const speaks: Name = (part) => `${prefix}speech_synthesis_${part}`
  const hears: Name = (part) => `${prefix}speech_recognizer_${part}`
  return (
    <>
      <fieldset
        className="speech"
        aria-label={prefix ? t('Fallback speech synthesis') : t('speech synthesis')}
      >
        <WithValues form={form} name={speaks}>
          {(values) => <Synthesis {...{ form, of, values }} name={speaks} />}
        </WithValues>
      </fieldset>
      <fieldset
        className="speech"
        aria-label={prefix ? t('Fallback speech recognition') : t('speech recognition')}
      >
        <WithValues form={form} name={hears}>
          {(values) => <Recognizer {...{ form, of, values }} name={hears} />}
        </WithValues>
      </fieldset>
    </>
  )
}
