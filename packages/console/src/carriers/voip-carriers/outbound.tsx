import { t, type VoipCarrierView } from '@switchroom/contract'
import type { FormLike } from '../../lib/form-like'
import { Section } from '../../ui/section'
import type { CarrierValues } from './values'

/** How calls are sent to this carrier, and how the platform registers with it. */
export function Outbound({
  form,
  stored,
}: {
  form: FormLike<CarrierValues>
  stored?: VoipCarrierView
}) {
  return (
    <>
      <Section title={t('Calls')}>
        <form.AppField name="e164_leading_plus">
          {(f) => (
            <f.Checkbox
              label={t('E.164 syntax')}
              help={t('Prepend a leading + on origination attempts.')}
            />
          )}
        </form.AppField>
        <form.AppField name="tech_prefix">
          {(f) => (
            <f.TextField
              label={t('Tech prefix')}
              optional
              mono
              help={t('Does your carrier require a tech prefix on outbound calls?')}
            />
          )}
        </form.AppField>
        <form.AppField name="diversion">
          {(f) => (
            <f.TextField
              label={t('SIP Diversion header')}
              optional
              mono
              placeholder={t('Phone number or SIP URI')}
              help={t(
                'Does your carrier support the SIP Diversion header for authenticating the calling number?',
              )}
            />
          )}
        </form.AppField>
        <form.AppField name="outbound_sip_proxy">
          {(f) => (
            <f.TextField
              label={t('Outbound SIP proxy')}
              optional
              mono
              placeholder={t('Outbound SIP proxy')}
              help={t('Send all calls to this carrier through an outbound proxy')}
            />
          )}
        </form.AppField>
      </Section>
      <form.Subscribe selector={(s) => needsCredentials(s.values)}>
        {(needed) => <Authentication form={form} needed={needed} {...(stored && { stored })} />}
      </form.Subscribe>
      <Section title={t('Registration')}>
        <form.Subscribe selector={(s) => s.values.trunk_type === 'reg'}>
          {(always) => (
            <form.AppField name="requires_register">
              {(f) => (
                <f.Switch
                  label={t('Carrier requires SIP Register.')}
                  disabled={always}
                  help={
                    always ? t('Registration trunk requires SIP registration settings.') : undefined
                  }
                >
                  <RegistrationFields form={form} />
                </f.Switch>
              )}
            </form.AppField>
          )}
        </form.Subscribe>
      </Section>
    </>
  )
}

const needsCredentials = ({ trunk_type, requires_register }: CarrierValues) =>
  trunk_type === 'reg' || requires_register

const Authentication = ({
  form,
  needed,
  stored,
}: {
  form: FormLike<CarrierValues>
  needed: boolean
  stored?: VoipCarrierView
}) => (
  <Section
    title={t('Authentication')}
    about={
      needed
        ? t('Registration requires authentication credentials.')
        : t('Does your carrier require authentication?')
    }
  >
    <form.AppField name="register_username">
      {(f) => (
        <f.TextField
          label={t('Auth username')}
          optional={!needed}
          mono
          placeholder={t('SIP username for authenticating outbound calls')}
        />
      )}
    </form.AppField>
    <form.AppField name="register_password">
      {(f) => (
        <f.SecretField
          label={t('Auth password')}
          optional={!needed}
          isSet={!!stored?.register_password}
        />
      )}
    </form.AppField>
  </Section>
)

const RegistrationFields = ({ form }: { form: FormLike<CarrierValues> }) => (
  <>
    <form.AppField name="register_sip_realm">
      {(f) => (
        <f.TextField label={t('SIP realm')} mono placeholder={t('SIP realm for registration')} />
      )}
    </form.AppField>
    <form.AppField name="register_from_user">
      {(f) => (
        <f.TextField
          label={t('SIP from user')}
          optional
          mono
          placeholder={t('Optional: specify user part of SIP From header')}
        />
      )}
    </form.AppField>
    <form.AppField name="register_from_domain">
      {(f) => (
        <f.TextField
          label={t('SIP from domain')}
          optional
          mono
          placeholder={t('Optional: specify host part of SIP From header')}
        />
      )}
    </form.AppField>
    <form.AppField name="register_public_ip_in_contact">
      {(f) => <f.Checkbox label={t('Use public IP in contact')} />}
    </form.AppField>
  </>
)
