import { t } from '@switchroom/contract'
import type { FormLike } from '../lib/form-like'
import { Columns } from '../ui/section'
import {
  credentialFor,
  ignoredReason,
  labelOptions,
  type Option,
  type SpeechChoice,
  vendorName,
  vendorOptions,
  withStoredOption,
} from './speech-choices'
import type { OfferedLists, SpeechSources } from './speech-lists'

export type Part = 'vendor' | 'label' | 'language' | 'voice'
export type Name = (part: Part) => string

/** A vendor, and the label of a credential where there are several. */
export function VendorFields({
  form,
  name,
  of,
  chosen,
  onVendor,
  onLabel,
}: {
  form: FormLike
  name: Name
  of: SpeechSources
  chosen: SpeechChoice
  onVendor: (vendor: string) => void
  onLabel: (label: string) => void
}) {
  const { vendor, use } = chosen
  const credential = credentialFor(of.credentials, chosen)
  const labels = of.isLoaded ? labelOptions(of.credentials, chosen) : []
  const without =
    of.isLoaded && labels.length === 0 && vendor
      ? use === 'tts'
        ? t('No {vendor} speech service for speaking.', { vendor: vendorName(vendor) })
        : t('No {vendor} speech service for listening.', { vendor: vendorName(vendor) })
      : undefined
  return (
    <Columns>
      <form.SelectField
        name={name('vendor')}
        label={use === 'tts' ? t('Speech synthesis vendor') : t('Speech recognizer vendor')}
        options={vendorOptions(of.credentials, chosen)}
        onChange={onVendor}
        help={
          of.problem
            ? t('Could not load the speech services. {problem}', { problem: of.problem })
            : without
        }
      />
      {labels.length > 0 && (
        <form.SelectField
          name={name('label')}
          label={t('Label')}
          options={labels}
          onChange={onLabel}
          help={credential && ignoredReason(credential, use)}
        />
      )}
    </Columns>
  )
}

/** A list to choose from where the vendor has one, a text field where it has none. */
export function ChoiceField({
  form,
  name,
  label,
  offered,
  options,
  stored,
  text,
  onChange,
}: {
  form: FormLike
  name: string
  label: string
  offered: OfferedLists
  options: Option[]
  stored: string
  /** A text field even if there is a list. */
  text?: boolean
  onChange?: (value: string) => void
}) {
  const nothing = !offered.loading && options.length === 0 && offered.isComplete
  if (text || !offered.listed || nothing)
    return <form.TextField name={name} label={label} placeholder={t('Required')} />
  const foreign = offered.isComplete && stored !== '' && !options.some((o) => o.value === stored)
  return (
    <form.ComboboxField
      name={name}
      label={label}
      options={withStoredOption(options, stored)}
      loading={offered.loading}
      placeholder={offered.loading ? t('Loading…') : undefined}
      help={foreign ? t('The vendor does not list this value.') : undefined}
      {...(onChange && { onChange })}
    />
  )
}
