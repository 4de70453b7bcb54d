import { t, type VoipCarrierView } from '@switchroom/contract'
import type { ReactNode } from 'react'
import type { FormLike } from '../../lib/form-like'
import { Section } from '../../ui/section'
import { toastError } from '../../ui/toast'
import { blankSmpp, NETMASKS, type SmppValues } from './gateway-values'
import { Grid } from './grid'
import type { CarrierValues } from './values'

type Direction = 'inbound' | 'outbound'

/** SMPP credentials and gateways. */
export const Smpp = ({
  form,
  stored,
}: {
  form: FormLike<CarrierValues>
  stored?: VoipCarrierView
}) => (
  <>
    <Section
      title={t('Outbound SMPP')}
      about={t('How the platform sends messages to this carrier.')}
    >
      <form.TextField
        name="smpp_system_id"
        label={t('System ID')}
        optional
        mono
        placeholder={t('SMPP system ID to authenticate with')}
      />
      <form.SecretField
        name="smpp_password"
        label={t('Password')}
        optional
        isSet={!!stored?.smpp_password}
      />
      <p className="field-help">
        {t('At least one outbound gateway is required when using system ID or password above.')}
      </p>
      <SmppGateways form={form} direction="outbound" />
    </Section>
    <Section
      title={t('Inbound SMPP')}
      about={t('How the platform authenticates messages from this carrier.')}
    >
      <form.TextField name="smpp_inbound_system_id" label={t('Inbound system ID')} optional mono />
      <form.SecretField
        name="smpp_inbound_password"
        label={t('Inbound password')}
        optional
        isSet={!!stored?.smpp_inbound_password}
        help={t('Password is required if whitelisting carrier IP address(es) below.')}
      />
      <p className="field-help">
        {t(
          'Fully qualified domain names (e.g. sip.example.com) may only be used for outbound calls above.',
        )}
      </p>
      <SmppGateways form={form} direction="inbound" />
    </Section>
  </>
)

const LABEL = { inbound: t('Inbound SMPP gateways'), outbound: t('Outbound SMPP gateways') }
const NOUN = { inbound: t('Inbound SMPP gateway'), outbound: t('Outbound SMPP gateway') }

/** The gateways of one direction. One with both directions is in both lists, and can be removed from each. */
function SmppGateways({
  form,
  direction,
}: {
  form: FormLike<CarrierValues>
  direction: Direction
}) {
  return (
    <form.Subscribe selector={(s) => s.values}>
      {({ smpp_gateways: all, smpp_system_id, smpp_password }) => {
        const set = (next: SmppValues[]) => form.setFieldValue('smpp_gateways', next)
        const rows = all.filter((g) => g[direction])
        const without = (row: SmppValues) =>
          all
            .map((g) => (g === row ? { ...g, [direction]: false } : g))
            .filter((g) => g.inbound || g.outbound)
        return (
          <Grid
            form={form}
            {...(direction === 'outbound' && { name: 'smpp_gateways' })}
            label={LABEL[direction]}
            noun={NOUN[direction]}
            rows={rows}
            onAdd={() => set([...all, blankSmpp(direction)])}
            onDelete={(row) => {
              const last = rows.length === 1
              const needed = direction === 'outbound' && (smpp_system_id || smpp_password)
              if (last && needed) toastError(t('You must provide at least one Outbound Gateway.'))
              else set(last ? [...without(row), blankSmpp(direction)] : without(row))
              return !(last && needed)
            }}
          >
            {(row, actions) => (
              <SmppGateway form={form} index={all.indexOf(row)} direction={direction}>
                {actions}
              </SmppGateway>
            )}
          </Grid>
        )
      }}
    </form.Subscribe>
  )
}

function SmppGateway({
  form,
  index,
  direction,
  children,
}: {
  form: FormLike<CarrierValues>
  index: number
  direction: Direction
  children: ReactNode
}) {
  const at = (field: keyof SmppValues) => `smpp_gateways[${index}].${field}` as const
  if (direction === 'inbound')
    return (
      <div className="grid-line grid-line-inbound">
        <form.TextField name={at('ipv4')} label={t('IP address')} mono placeholder="1.2.3.4" />
        <form.SelectField name={at('netmask')} label={t('Netmask')} options={NETMASKS} />
        {children}
      </div>
    )
  return (
    <>
      <div className="grid-line grid-line-outbound">
        <form.TextField
          name={at('ipv4')}
          label={t('IP or DNS')}
          mono
          placeholder={'1.2.3.4 / smpp.my.com'}
        />
        <form.TextField
          name={at('port')}
          label={t('Port')}
          inputMode="numeric"
          placeholder="2775"
          mono
        />
      </div>
      <div className="grid-checks">
        <form.Checkbox name={at('use_tls')} label={t('Use TLS')} />
        <form.Checkbox name={at('is_primary')} label={t('Primary')} />
        {children}
      </div>
    </>
  )
}
