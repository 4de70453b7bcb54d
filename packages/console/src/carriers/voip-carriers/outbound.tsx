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
        <form.Checkbox
          name="e164_leading_plus"
          label={t('E.164 syntax')}
          help={t('Prepend a leading + on origination attempts.')}
        />
        <form.TextField
          name="tech_prefix"
          label={t('Tech prefix')}
          optional
          mono
          help={t('Does your carrier require a tech prefix on outbound calls?')}
        />
        <form.TextField
          name="diversion"
          label={t('SIP Diversion header')}
          optional
          mono
          placeholder={t('Phone number or SIP URI')}
          help={t(
            'Does your carrier support the SIP Diversion header for authenticating the calling number?',
          )}
        />
        <form.TextField
          name="outbound_sip_proxy"
          label={t('Outbound SIP proxy')}
          optional
          mono
          placeholder={t('Outbound SIP proxy')}
          help={t('Send all calls to this carrier through an outbound proxy')}
        />
      </Section>
      <form.Subscribe selector={(s) => needsCredentials(s.values)}>
        {(needed) => <Authentication form={form} needed={needed} {...(stored && { stored })} />}
      </form.Subscribe>
      <Section title={t('Registration')}>
        <form.Subscribe selector={(s) => s.values.trunk_type === 'reg'}>
          {(always) => (
            <form.Switch
              name="requires_register"
              label={t('Carrier requires SIP Register.')}
              disabled={always}
              help={
                always ? t('Registration trunk requires SIP registration settings.') : undefined
              }
            >
              <RegistrationFields form={form} />
            </form.Switch>
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
    <form.TextField
      name="register_username"
      label={t('Auth username')}
      optional={!needed}
      mono
      placeholder={t('SIP username for authenticating outbound calls')}
    />
    <form.SecretField
      name="register_password"
      label={t('Auth password')}
      optional={!needed}
      isSet={!!stored?.register_password}
    />
  </Section>
)

const RegistrationFields = ({ form }: { form: FormLike<CarrierValues> }) => (
  <>
    <form.TextField
      name="register_sip_realm"
      label={t('SIP realm')}
      mono
      placeholder={t('SIP realm for registration')}
    />
    <form.TextField
      name="register_from_user"
      label={t('SIP from user')}
      optional
      mono
      placeholder={t('Optional: specify user part of SIP From header')}
    />
    <form.TextField
      name="register_from_domain"
      label={t('SIP from domain')}
      optional
      mono
      placeholder={t('Optional: specify host part of SIP From header')}
    />
    <form.Checkbox name="register_public_ip_in_contact" label={t('Use public IP in contact')} />
  </>
)
