import { t, type VoipCarrierView } from '@switchroom/contract'
import type { FormLike } from '../../lib/form-like'
import { Section } from '../../ui/section'
import type { CarrierValues } from './values'

/** How inbound calls of this carrier are identified. */
export function Inbound({
  form,
  stored,
}: {
  form: FormLike<CarrierValues>
  stored?: VoipCarrierView
}) {
  return (
    <form.Subscribe selector={(s) => s.values.trunk_type}>
      {(type) =>
        type === 'auth' ? (
          <Section
            title={t('Credentials')}
            about={t(
              'Enter authentication credentials for inbound calls. An Auth Trunk does not use inbound SIP gateways.',
            )}
          >
            <form.TextField
              name="inbound_auth_username"
              label={t('Username')}
              placeholder={t('Authentication username')}
            />
            <form.SecretField
              name="inbound_auth_password"
              label={t('Password')}
              isSet={!!stored?.inbound_auth_password}
            />
          </Section>
        ) : (
          <Section title={t('Inbound calls')}>
            <p>
              {type === 'reg'
                ? t('Registration Trunk does not require Inbound settings.')
                : t(
                    'Calls are matched by source address. See the inbound gateways on the SIP tab.',
                  )}
            </p>
          </Section>
        )
      }
    </form.Subscribe>
  )
}
