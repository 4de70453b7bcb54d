import { SPEECH_VENDORS, type SpeechCredential, t, type Vendor } from '@switchroom/contract'
import { ownAccount } from '../../lib/access'
import { config } from '../../lib/config'
import type { FormLike } from '../../lib/form-like'
import { AccountField } from '../../lib/picker-fields'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { leftBehind, type SpeechValues, usesOf, type VendorValues } from './values'
import { VendorFields } from './vendor-fields'
import { vendorOfId } from './vendor-of-id'
import { Voices } from './voices'

const LABEL_HELP = t(
  'Assign a label only if you need to create multiple speech services from the same vendor. Then use the label in your application to specify which service to use.',
)

const USE = { tts: t('Use for text-to-speech'), stt: t('Use for speech-to-text') }

/** Vendors by name, without those that are disabled in this installation. */
const vendorOptions = (stored: string | undefined) => [
  ...(stored === undefined ? [{ value: '', label: t('Select a vendor') }] : []),
  ...SPEECH_VENDORS.filter(({ id }) => {
    const by = vendorOfId(id)?.hidden_by
    return id === stored || !by || !config[by]
  }).map(({ id, name }) => ({ value: id, label: name })),
]

/** The form of a new or stored credential. */
export function Fields({
  form,
  stored,
}: {
  form: FormLike<SpeechValues>
  stored?: SpeechCredential | undefined
}) {
  return (
    <form.Subscribe
      selector={(s) => {
        const { vendor, settings } = s.values
        return { vendor, settings: settings[vendor] }
      }}
    >
      {({ vendor, settings }) => {
        const v = vendorOfId(vendor)
        return (
          <>
            <General {...{ form, stored }} vendor={v} />
            {v && settings && (
              // remount, since another vendor's field of the same name is a different field
              <VendorSection key={v.id} {...{ form, stored, settings }} vendor={v} />
            )}
          </>
        )
      }}
    </form.Subscribe>
  )
}

function General({
  form,
  stored,
  vendor,
}: {
  form: FormLike<SpeechValues>
  stored: SpeechCredential | undefined
  vendor: Vendor | undefined
}) {
  const isOld = stored !== undefined
  return (
    <Section title={t('General')}>
      <form.SelectField
        name="vendor"
        label={t('Vendor')}
        options={vendorOptions(isOld ? vendor?.id : undefined)}
        disabled={isOld}
        onChange={() => {
          if (vendor)
            form.setFieldValue(`settings.${vendor.id}`, (left: VendorValues) =>
              leftBehind(vendor.id, left),
            )
        }}
      />
      {vendor?.legacy && <Notice tone="warn">{vendor.legacy}</Notice>}
      {vendor?.named && (
        <form.TextField
          name={`settings.${vendor.id}.name`}
          label={t('Name')}
          placeholder={t('Vendor name')}
          maxLength={25}
          disabled={isOld}
        />
      )}
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => (
            <AccountField optional={!isOld} placeholder={t('All accounts')} disabled={isOld} />
          )}
        </form.AppField>
      )}
      <form.TextField
        name="label"
        label={t('Label')}
        optional={!isOld}
        maxLength={64}
        disabled={isOld}
        help={isOld ? undefined : LABEL_HELP}
      />
      {vendor && (
        <fieldset className="speech-uses" aria-label={t('Usage')}>
          {vendor.does.map((use) => (
            <form.Checkbox
              key={use}
              name={`settings.${vendor.id}.use_for_${use}`}
              label={USE[use]}
            />
          ))}
        </fieldset>
      )}
    </Section>
  )
}

function VendorSection({
  form,
  vendor,
  settings,
  stored,
}: {
  form: FormLike<SpeechValues>
  vendor: Vendor
  settings: VendorValues
  stored: SpeechCredential | undefined
}) {
  return (
    <>
      <Section title={vendor.named ? t('Endpoints') : vendor.name}>
        <VendorFields {...{ vendor, settings, stored, form }} />
      </Section>
      {vendor.customVoices && usesOf(settings).tts && <Voices form={form} vendor={vendor.id} />}
    </>
  )
}
