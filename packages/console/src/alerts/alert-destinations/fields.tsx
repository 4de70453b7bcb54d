import {
  DESTINATION_KINDS,
  DESTINATION_TYPES,
  type DestinationKind,
  destinationKind,
  t,
} from '@switchroom/contract'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import type { FormLike } from '../../lib/form-like'
import { oneOf } from '../../lib/list-search'
import { AccountField } from '../../lib/picker-fields'
import { keysOf } from '../../lib/records'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { CopyBox } from '../../ui/copy-box'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { TypesField } from './types-field'

const TYPES = Object.entries(DESTINATION_TYPES)
  .map(([type, words]) => ({ type, ...words }))
  .sort((a, b) => a.name.localeCompare(b.name))

const KINDS = Object.entries(DESTINATION_KINDS).map(([value, { name }]) => ({
  value,
  label: name,
}))

/** The first option where the address is chosen from a list, since a select always shows one. */
export const defaultAddress = (kind: DestinationKind) =>
  destinationKind(kind).address?.options?.[0]?.value ?? ''

export function KindField({ form }: { form: FormLike }) {
  return (
    <form.SelectField
      name="kind"
      label={t('Type')}
      options={KINDS}
      onChange={(chosen) => {
        const kind = oneOf(keysOf(DESTINATION_KINDS), chosen)
        form.setFieldValue('address', kind ? defaultAddress(kind) : '')
        form.setFieldValue('secret', '')
      }}
    />
  )
}

/** Address and secret, as the kind of destination describes them. */
export function DeliveryFields({
  form,
  kind,
  hasSecret,
}: {
  form: FormLike
  kind: DestinationKind
  hasSecret: boolean
}) {
  const { address, secret } = destinationKind(kind)
  const mail = useCapabilities()?.mail
  return (
    <>
      {address &&
        (address.options ? (
          <form.SelectField name="address" label={address.label} options={address.options!} />
        ) : (
          <form.TextField name="address" label={address.label} placeholder={address.placeholder} />
        ))}
      {kind === 'mail' && mail === false && (
        <Notice tone="warn">{t('This server is not configured to send email.')}</Notice>
      )}
      {secret && kind !== 'webhook' && (
        <form.SecretField
          name="secret"
          label={secret.label}
          help={secret.help ?? ''}
          isSet={hasSecret}
        />
      )}
      {kind === 'webhook' && <SigningSecret form={form} isSet={hasSecret} />}
    </>
  )
}

function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** Typed, or generated here. A generated secret stays visible until it is saved, to be copied to the receiver. */
function SigningSecret({ form, isSet }: { form: FormLike; isSet: boolean }) {
  const { label, help } = DESTINATION_KINDS.webhook.secret
  const [made, setMade] = useState<string>()
  const take = (secret: string | undefined) => {
    setMade(secret)
    form.setFieldValue('secret', secret ?? (isSet ? undefined : ''))
  }
  return (
    <form.Subscribe selector={(s) => s.values.secret}>
      {(secret) =>
        made && secret === made ? (
          <div className="destination-secret">
            <CopyBox
              label={label}
              value={made}
              secret
              help={t('Copy it to the receiver now. It is not shown again after you save.')}
            />
            <Button size="small" look="quiet" onClick={() => take(undefined)}>
              {isSet ? t('Keep current value') : t('Enter a different secret')}
            </Button>
          </div>
        ) : (
          <div className="destination-secret">
            <form.SecretField name="secret" label={label} help={help} isSet={isSet} />
            {mayWrite() && (
              <Button size="small" onClick={() => take(newSecret())}>
                {t('Generate a new secret')}
              </Button>
            )}
          </div>
        )
      }
    </form.Subscribe>
  )
}

/** Which alerts are sent, and of which accounts. */
export function ContentFields({ form, isOld = false }: { form: FormLike; isOld?: boolean }) {
  return (
    <Section
      title={t('Alerts')}
      about={t('Each account sends at most one message per alert type per hour.')}
    >
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => (
            <AccountField
              label={t('Scope')}
              optional
              placeholder={t('All accounts')}
              disabled={isOld}
            />
          )}
        </form.AppField>
      )}
      <form.Switch
        name="is_active"
        label={t('Active')}
        help={t('Inactive destinations receive no alerts.')}
      />
      <form.AppField name="alert_types">
        {() => (
          <TypesField label={t('Alert types')} allLabel={t('All alert types')} types={TYPES} />
        )}
      </form.AppField>
    </Section>
  )
}
