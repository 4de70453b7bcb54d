import {
  activeFields,
  type Field,
  isSecret,
  type SpeechCredential,
  t,
  type Vendor,
} from '@switchroom/contract'
import type { FormLike } from '../../lib/form-like'
import { useCapabilities } from '../../lib/use-capabilities'
import { ReadOnlyFields, useReadOnly } from '../../ui/field'
import type { CatalogueCredential } from './catalogue'
import { JsonField } from './json-field'
import { KeyFileField } from './key-file-field'
import { ModelField } from './model-field'
import { choiceOf, fieldValue, placeOf, storedSecrets, type VendorValues } from './values'
import './form.css'

const FIXED = t('This server cannot change it. Delete this speech service and add it again.')

/** The vendor's fields for these uses in this mode. */
export function VendorFields({
  vendor,
  settings,
  stored,
  form,
}: {
  vendor: Vendor
  settings: VendorValues
  /** The stored credential, when editing. */
  stored?: SpeechCredential | undefined
  form: FormLike
}) {
  const kept = stored ? storedSecrets(vendor, stored) : []
  const modes = Object.entries(vendor.modes ?? {}).map(([value, m]) => ({ value, label: m.label }))
  const fixed = useCapabilities() === undefined && stored !== undefined
  const of = stored && {
    speech_credential_sid: stored.speech_credential_sid,
    label: stored.label,
  }
  return (
    <>
      {modes.length > 0 && (
        <form.RadioField
          name={`settings.${vendor.id}.mode`}
          label={t('Connection')}
          options={modes}
          disabled={fixed}
          help={fixed && FIXED}
        />
      )}
      {Object.entries(activeFields(vendor, choiceOf(settings))).map(([key, field]) => {
        const name = placeOf(vendor, settings.mode, key).join('.')
        return (
          // remount, since another mode's field of the same name is a different field
          <form.AppField key={name} name={name}>
            {(f) => (
              <Control
                {...{ f, field, vendor, of, fixed: fixed && isSecret(field) }}
                isSet={kept.includes(key)}
                value={fieldValue(vendor, settings, key)}
              />
            )}
          </form.AppField>
        )
      })}
    </>
  )
}

type Fields = Parameters<Parameters<FormLike['AppField']>[0]['children']>[0]

/** One control per field kind. A new kind is a new line here and in the contract's field.ts. */
function Control({
  f,
  field,
  vendor,
  of,
  isSet,
  fixed,
  value,
}: {
  f: Fields
  field: Field
  vendor: Vendor
  of: CatalogueCredential
  isSet: boolean
  fixed: boolean
  value: unknown
}) {
  const readOnly = useReadOnly()
  const { label, hint: help, placeholder } = field
  const optional = field.optional && !field.ruled
  const shared = { label, optional, help }
  switch (field.kind) {
    case 'toggle':
      return <f.Checkbox label={label} help={help} />
    case 'select':
      return <f.SelectField {...shared} options={selectOptions(field, value)} />
    case 'secret':
      return (
        <ReadOnlyFields value={readOnly || fixed}>
          <f.SecretField {...shared} isSet={isSet} help={fixed ? FIXED : help} />
        </ReadOnlyFields>
      )
    case 'key_file':
      return (
        <ReadOnlyFields value={readOnly || fixed}>
          <KeyFileField field={field} isSet={isSet} help={fixed ? FIXED : help} />
        </ReadOnlyFields>
      )
    case 'json':
      return <JsonField label={label} docs={field.docs} preset={field.default} />
    case 'model':
      return (
        <ModelField
          {...{ label, optional, of }}
          vendor={vendor.id}
          use={field.of}
          preset={field.default}
        />
      )
    case 'text':
      return <f.TextField {...shared} placeholder={placeholder} />
  }
}

/** Starts without a choice. A stored value that is no longer offered is listed as not available. */
function selectOptions(field: Field & { kind: 'select' }, value: unknown) {
  const { options, optional } = field
  const isListed = options.some((o) => o.value === value)
  const lacksEmpty = !options.some((o) => o.value === '')
  return [
    ...(lacksEmpty && (value === '' || optional)
      ? [
          {
            value: '',
            label: optional ? t('None') : field.empty,
          },
        ]
      : []),
    ...(!isListed && typeof value === 'string' && value !== ''
      ? [{ value, label: t('{value} (not available)', { value }) }]
      : []),
    ...options,
  ]
}
