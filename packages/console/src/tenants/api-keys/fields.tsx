import { API_KEY_KINDS, type ApiKeyKind, entriesOf, t } from '@switchroom/contract'
import { setFieldText } from '../../lib/field-text'
import { errorOf, useFieldContext } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { timeText } from '../../ui/dates'
import { RadioField } from '../../ui/radio-field'
import { SelectField } from '../../ui/select'
import { Checkbox } from '../../ui/toggle'
import './api-keys.css'

const DAY = 86_400
const LIFETIMES = [
  { value: '', label: t('Never') },
  { value: String(30 * DAY), label: t('In 30 days') },
  { value: String(90 * DAY), label: t('In 90 days') },
  { value: String(365 * DAY), label: t('In a year') },
]
const ACCESS = [
  { value: '', label: t('Read and write') },
  { value: 'view', label: t('Read only, secrets masked') },
]
const COVERS = [
  { value: '', label: t('Everything') },
  { value: 'some', label: t('Selected kinds') },
]

const isLifetime = (expires: string) => LIFETIMES.some((l) => l.value === expires)

/** When a key with this lifetime, or until this time, expires. Null means never. */
export function lifetimeOf(expires: string) {
  if (expires === '') return null
  return isLifetime(expires) ? new Date(Date.now() + Number(expires) * 1000).toISOString() : expires
}

export function Fields({
  form,
  hasLimits,
  stored = null,
}: {
  form: FormLike
  hasLimits: boolean
  /** When the stored key expires. */
  stored?: string | null
}) {
  return (
    <>
      {hasLimits && (
        <form.TextField
          name="name"
          label={t('Name')}
          optional
          help={t('Which program uses it, such as Billing export.')}
          maxLength={64}
        />
      )}
      <form.AppField name="expires">{() => <Expires stored={stored} />}</form.AppField>
      {hasLimits && (
        <>
          <form.RadioField name="access" label={t('Access')} options={ACCESS} />
          <form.AppField name="kinds">{() => <Kinds />}</form.AppField>
          <form.TextField
            name="networks"
            label={t('Networks')}
            optional
            mono
            help={t(
              'IP addresses or networks it may be used from, separated by commas. Leave blank for any.',
            )}
            placeholder="203.0.113.0/24"
          />
        </>
      )}
    </>
  )
}

const expiryText = (expires: string) =>
  LIFETIMES.find((l) => l.value === expires)?.label ?? timeText(expires)

function Expires({ stored }: { stored: string | null }) {
  const field = useFieldContext<string>()
  const { value } = field.state
  setFieldText(field.form.store, field.name, {
    label: t('Expires'),
    text: (expires) => expiryText(String(expires)),
  })
  // the stored time, and the one that another user has chosen meanwhile
  const times = [...new Set([stored ?? '', value])].filter((time) => !isLifetime(time))
  return (
    <SelectField
      label={t('Expires')}
      options={[...times.map((time) => ({ value: time, label: expiryText(time) })), ...LIFETIMES]}
      value={value}
      onChange={field.handleChange}
      error={errorOf(field.state.meta)}
    />
  )
}

const kindsText = (kinds: ApiKeyKind[] | null) =>
  kinds ? kinds.map((kind) => API_KEY_KINDS[kind]).join(', ') : t('Everything')

function Kinds() {
  const field = useFieldContext<ApiKeyKind[] | null>()
  const kinds = field.state.value
  setFieldText(field.form.store, field.name, {
    label: t('Covers'),
    // both versions come from the form's own values
    text: (value) => kindsText(value as ApiKeyKind[] | null),
  })
  return (
    <>
      <RadioField
        label={t('Covers')}
        options={COVERS}
        value={kinds ? 'some' : ''}
        onChange={(covers) => field.handleChange(covers ? [] : null)}
        error={errorOf(field.state.meta)}
      />
      {kinds && (
        <div className="columns api-key-kinds">
          {entriesOf(API_KEY_KINDS).map(([kind, label]) => (
            <Checkbox
              key={kind}
              label={label}
              value={kinds.includes(kind)}
              onChange={(on) =>
                field.handleChange(on ? [...kinds, kind] : kinds.filter((k) => k !== kind))
              }
            />
          ))}
        </div>
      )}
    </>
  )
}
