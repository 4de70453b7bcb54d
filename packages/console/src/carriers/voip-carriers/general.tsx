import { DTMF_TYPES, t, type VoipCarrierView } from '@switchroom/contract'
import { ownAccount } from '../../lib/access'
import type { FormLike } from '../../lib/form-like'
import { AccountField, ApplicationField } from '../../lib/picker-fields'
import { Section } from '../../ui/section'
import { mayChooseApplication } from './may'
import { isOwnerless } from './owner'
import { useSeesOwnerless } from './ownerless'
import { ProviderField } from './provider-field'
import { TRUNKS } from './trunk-types'
import type { CarrierValues } from './values'

const DTMF = { rfc2833: 'RFC 2833', tones: t('Tones'), info: t('Info') }

export function General({
  form,
  stored,
  onTrunkType,
}: {
  form: FormLike<CarrierValues>
  stored?: VoipCarrierView
  onTrunkType: (type: string) => void
}) {
  // without a provider there are no accounts to choose from
  const needsProvider = useSeesOwnerless() && stored && isOwnerless(stored)
  return (
    <Section title={t('General')}>
      <form.TextField name="name" label={t('Carrier name')} />
      <form.Switch
        name="is_active"
        label={t('Active')}
        help={t(
          'An inactive carrier accepts no inbound calls and does not register. Routes that name it still send it calls.',
        )}
      />
      {needsProvider && (
        <form.AppField name="service_provider_sid">{() => <ProviderField />}</form.AppField>
      )}
      {!ownAccount() && !needsProvider && (
        <form.AppField name="account_sid">
          {() => (
            <AccountField
              label={t('Used by')}
              optional
              placeholder={t('All accounts')}
              onChange={() => form.setFieldValue('application_sid', '')}
            />
          )}
        </form.AppField>
      )}
      <form.SelectField
        name="trunk_type"
        label={t('Trunk type')}
        options={TRUNKS}
        onChange={onTrunkType}
      />
      <form.SelectField
        name="dtmf_type"
        label={t('DTMF type')}
        options={DTMF_TYPES.map((v) => ({ value: v, label: DTMF[v] }))}
        help={t(
          'RFC 2833 is commonly used on VoIP networks. Do not change unless you are certain this carrier does not support it',
        )}
      />
      {mayChooseApplication() && (
        <form.Subscribe selector={(s) => s.values.account_sid}>
          {(account_sid) =>
            account_sid && (
              <form.AppField name="application_sid">
                {() => (
                  <ApplicationField
                    label={t('Default application')}
                    account_sid={account_sid}
                    optional
                    placeholder={t('None')}
                    help={t('Answers calls to numbers without an application of their own.')}
                  />
                )}
              </form.AppField>
            )
          }
        </form.Subscribe>
      )}
    </Section>
  )
}
