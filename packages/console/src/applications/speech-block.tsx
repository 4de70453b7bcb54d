import type { Use } from '@switchroom/contract'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { FormLike } from '../lib/form-like'
import { keysOf, recordOf } from '../lib/records'
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

function Direction({
  form,
  name,
  of,
  values,
  use,
}: {
  form: FormLike
  name: Name
  of: SpeechSources
  values: Values
  use: Use
}) {
  const { vendor, label, language, voice } = values
  const chosen: SpeechChoice = { vendor, label, account_sid: of.account_sid, use }
  const offered = useOfferedLists(of, chosen)
  const { catalogue } = offered
  const own = useMemo(() => customVoices(offered.own), [offered.own])
  const languages = useMemo(() => byName(catalogue[use] ?? []), [catalogue, use])
  const voices = useMemo(
    () => [...byName(own), ...byName(voicesOf(vendor, catalogue, language))],
    [own, vendor, catalogue, language],
  )
  const speaks = use === 'tts'
  const hasLanguage = speaks ? !listsModels(vendor) : isMultilingual(vendor)
  const credential = credentialFor(of.credentials, chosen)

  const set = (picked: Partial<Values>) => {
    for (const part of keysOf(picked)) form.setFieldValue(name(part), picked[part])
  }
  const pick = (next: string, before: Values) =>
    speaks
      ? pickSynthesis(
          next,
          catalogue,
          before,
          own.map((v) => v.value),
        )
      : { language: pickRecognizerLanguage(next, catalogue, before.language) }
  const pickLater = usePickWhenLoaded(chosen, offered, (before) => set(pick(vendor, before)))
  const chooseVendor = (next: string) => {
    const first = defaultLabel(of.credentials, { ...chosen, vendor: next })
    set({ label: first, ...(speaks && { voice: '' }) })
    // an unlisted recognizer never loads, so its language is picked at once
    if (!speaks && !isListed(next) && isMultilingual(next)) set(pick(next, values))
    pickLater({ vendor: next, label: first }, values)
  }
  return (
    <>
      <VendorFields
        {...{ form, name, of, chosen }}
        onVendor={chooseVendor}
        onLabel={(next) => pickLater({ vendor, label: next }, values)}
      />
      {(hasLanguage || speaks) && (
        <Columns>
          {hasLanguage && (
            <ChoiceField
              {...{ form, offered }}
              name={name('language')}
              label="Language"
              options={languages}
              stored={language}
              onChange={(next) =>
                speaks && offered.isComplete && set({ voice: pickVoice(vendor, catalogue, next) })
              }
            />
          )}
          {speaks && (
            <ChoiceField
              {...{ form, offered }}
              name={name('voice')}
              label={listsModels(vendor) ? 'Model' : 'Voice'}
              options={voices}
              stored={voice}
              text={isVoiceTyped(vendor, credential)}
            />
          )}
        </Columns>
      )}
      <CatalogueNote vendor={vendor} offered={offered} />
      {speaks && credential && (
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

const DIRECTIONS = [
  { use: 'tts', title: 'speech synthesis', field: 'speech_synthesis' },
  { use: 'stt', title: 'speech recognition', field: 'speech_recognizer' },
] as const

/** Text-to-speech and speech-to-text of an application, primary or fallback. */
export const SpeechBlock = ({
  form,
  prefix,
  of,
}: {
  form: FormLike
  prefix: Prefix
  of: SpeechSources
}) =>
  DIRECTIONS.map(({ use, title, field }) => {
    const name: Name = (part) => `${prefix}${field}_${part}`
    return (
      <fieldset key={use} className="speech" aria-label={`${prefix && 'Fallback '}${title}`}>
        <WithValues form={form} name={name}>
          {(values) => <Direction {...{ form, name, of, values, use }} />}
        </WithValues>
      </fieldset>
    )
  })
