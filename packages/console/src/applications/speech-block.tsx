import { type SpeechCatalogue, speechCatalogues } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ownAccount } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { useCurrentProvider } from '../lib/current-provider'
import type { FormLike } from '../lib/form-like'
import { useSettled } from '../lib/use-settled'
import { Columns } from '../ui/section'
import {
  choosesModel,
  hearsLanguages,
  isListed,
  type Option,
  pickRecognized,
  pickSynthesis,
  pickVoice,
  recognizerLanguages,
  synthesisLanguages,
  vendorOptions,
  voiceOptions,
  withStored,
} from './speech-choices'

type Prefix = '' | 'fallback_'
type Direction = 'synthesis' | 'recognizer'
type Part = 'vendor' | 'label' | 'language' | 'voice'

/** What a vendor offers to the signed-in user's account or provider. */
function useCatalogueQuery() {
  const service_provider_sid = useCurrentProvider()
  const account_sid = ownAccount()
  return (vendor: string, label: string) => {
    const asked = { vendor, label: label || undefined }
    return account_sid
      ? query(speechCatalogues.ofAccount, { params: { account_sid }, query: asked })
      : query(speechCatalogues.ofServiceProvider, {
          params: { service_provider_sid },
          query: asked,
        })
  }
}

/** The vendor, label, language and voice of one direction, in the form and as the vendor offers them. */
function useSpeech(form: FormLike, name: (part: Part) => string, vendor: string, label: string) {
  const catalogueOf = useCatalogueQuery()
  const settled = useSettled(label.trim(), 200)
  const found = useQuery({ ...catalogueOf(vendor, settled), enabled: isListed(vendor) })
  const get = (part: Part) => form.getFieldValue(name(part)) as string
  const set = (part: Part, value: string) => form.setFieldValue(name(part), value)
  /** Only a choice of the user changes what goes with it; a list that arrives changes nothing. */
  const whenKnown = (chosen: string, then: (catalogue: SpeechCatalogue) => void) =>
    queryClient
      .fetchQuery(catalogueOf(chosen, ''))
      .then((catalogue) => {
        if (get('vendor') === chosen) then(catalogue)
      })
      // the field below says that there is no list
      .catch(() => {})
  const listed = isListed(vendor) && !found.isError
  return { catalogue: found.data ?? {}, loading: found.isLoading, listed, get, set, whenKnown }
}

/** A choice where the vendor has a list of them, text where it has none. */
function ChoiceField({
  form,
  name,
  label,
  listed,
  loading,
  options,
  onChange,
}: {
  form: FormLike
  name: string
  label: string
  listed: boolean
  loading: boolean
  options: Option[]
  onChange?: (value: string) => void
}) {
  if (!listed)
    return (
      <form.AppField name={name}>
        {(f) => <f.TextField label={label} placeholder="Required" />}
      </form.AppField>
    )
  return (
    <form.Subscribe selector={(s) => s.values[name] as string}>
      {(stored) => (
        <form.AppField name={name}>
          {(f) => (
            <f.ComboboxField
              label={label}
              options={withStored(options, stored)}
              loading={loading}
              {...(onChange && { onChange })}
            />
          )}
        </form.AppField>
      )}
    </form.Subscribe>
  )
}

type Chosen = { vendor: string; label: string; language: string }

/** Re-renders with what is chosen so far. */
function WithChosen({
  form,
  prefix,
  direction,
  children,
}: {
  form: FormLike
  prefix: Prefix
  direction: Direction
  children: (name: (part: Part) => string, chosen: Chosen) => ReactNode
}) {
  const name = (part: Part) => `${prefix}speech_${direction}_${part}`
  return (
    <form.Subscribe
      selector={(s) => ({
        vendor: s.values[name('vendor')] as string,
        label: s.values[name('label')] as string,
        language: s.values[name('language')] as string,
      })}
    >
      {(chosen) => children(name, chosen)}
    </form.Subscribe>
  )
}

type Direct = { form: FormLike; name: (part: Part) => string; chosen: Chosen }

function VendorFields({
  form,
  name,
  vendor,
  direction,
  onVendor,
}: {
  form: FormLike
  name: (part: Part) => string
  vendor: string
  direction: Direction
  onVendor: (vendor: string) => void
}) {
  return (
    <Columns>
      <form.AppField name={name('vendor')}>
        {(f) => (
          <f.SelectField
            label={`Speech ${direction} vendor`}
            options={vendorOptions(direction === 'synthesis' ? 'tts' : 'stt', vendor)}
            onChange={onVendor}
          />
        )}
      </form.AppField>
      <form.AppField name={name('label')}>
        {(f) => (
          <f.TextField
            label="Label"
            optional
            help="Which credential, where the vendor has several."
          />
        )}
      </form.AppField>
    </Columns>
  )
}

function Synthesis({ form, name, chosen: { vendor, label, language } }: Direct) {
  const s = useSpeech(form, name, vendor, label)
  const choose = (next: string) => {
    const before = { language: s.get('language'), voice: s.get('voice') }
    s.set('label', '')
    s.set('voice', '')
    if (!isListed(next)) return
    void s.whenKnown(next, (catalogue) => {
      const pick = pickSynthesis(next, catalogue, before)
      s.set('language', pick.language)
      s.set('voice', pick.voice)
    })
  }
  return (
    <>
      <VendorFields {...{ form, name, vendor }} direction="synthesis" onVendor={choose} />
      <Columns>
        {!choosesModel(vendor) && (
          <ChoiceField
            {...{ form, listed: s.listed, loading: s.loading }}
            name={name('language')}
            label="Language"
            options={synthesisLanguages(s.catalogue)}
            onChange={(next) => s.set('voice', pickVoice(vendor, s.catalogue, next))}
          />
        )}
        <ChoiceField
          {...{ form, listed: s.listed, loading: s.loading }}
          name={name('voice')}
          label={choosesModel(vendor) ? 'Model' : 'Voice'}
          options={voiceOptions(vendor, s.catalogue, language)}
        />
      </Columns>
    </>
  )
}

function Recognizer({ form, name, chosen: { vendor, label } }: Direct) {
  const s = useSpeech(form, name, vendor, label)
  const choose = (next: string) => {
    s.set('label', '')
    if (!isListed(next)) return
    void s.whenKnown(next, (catalogue) =>
      s.set('language', pickRecognized(next, catalogue, s.get('language'))),
    )
  }
  return (
    <>
      <VendorFields {...{ form, name, vendor }} direction="recognizer" onVendor={choose} />
      {hearsLanguages(vendor) && (
        <Columns>
          <ChoiceField
            {...{ form, listed: s.listed, loading: s.loading }}
            name={name('language')}
            label="Language"
            options={recognizerLanguages(s.catalogue)}
          />
        </Columns>
      )}
    </>
  )
}

/** With whom an application speaks and listens. */
export const SpeechBlock = ({ form, prefix }: { form: FormLike; prefix: Prefix }) => (
  <>
    <WithChosen form={form} prefix={prefix} direction="synthesis">
      {(name, chosen) => (
        <fieldset className="speech" aria-label={`${prefix && 'Fallback '}speech synthesis`}>
          <Synthesis {...{ form, name, chosen }} />
        </fieldset>
      )}
    </WithChosen>
    <WithChosen form={form} prefix={prefix} direction="recognizer">
      {(name, chosen) => (
        <fieldset className="speech" aria-label={`${prefix && 'Fallback '}speech recognition`}>
          <Recognizer {...{ form, name, chosen }} />
        </fieldset>
      )}
    </WithChosen>
  </>
)
