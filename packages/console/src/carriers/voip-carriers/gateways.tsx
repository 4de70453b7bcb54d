import { NEEDS_GATEWAY, SIP_PROTOCOLS, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import type { FormLike } from '../../lib/form-like'
import { Section } from '../../ui/section'
import { toastError } from '../../ui/toast'
import { blankGateway, type GatewayValues, NETMASKS, portFor } from './gateway-values'
import { Grid } from './grid'
import { type TrunkType, trunkTypeOf } from './trunk-types'
import type { CarrierValues } from './values'

const PROTOCOLS = SIP_PROTOCOLS.map((p) => ({
  value: p,
  label: p.toUpperCase().replace('/', '-'),
}))

const HINT: Record<TrunkType, string> = {
  static_ip: t(
    'Calls from an inbound gateway are matched to this carrier. Calls to this carrier go to its outbound gateways. At least one inbound gateway is required.',
  ),
  auth: t('Where calls to this carrier go. At least one outbound gateway is required.'),
  reg: t(
    'Where the platform registers and where calls to this carrier go. At least one outbound gateway is required.',
  ),
}

/** The carrier's SIP gateways. They are saved together with the carrier. */
export function Gateways({ form }: { form: FormLike<CarrierValues> }) {
  return (
    <form.Subscribe selector={(s) => s.values}>
      {({ sip_gateways: rows, trunk_type }) => {
        const set = (next: GatewayValues[]) => form.setFieldValue('sip_gateways', next)
        const type = trunkTypeOf(trunk_type)
        const byAddress = trunk_type === 'static_ip'
        return (
          <Section title={t('SIP gateways')} about={type && HINT[type]}>
            <Grid
              form={form}
              name="sip_gateways"
              label={t('SIP gateways')}
              noun={t('SIP Gateway')}
              rows={rows}
              onAdd={() =>
                set([...rows, blankGateway({ inbound: byAddress, outbound: !byAddress })])
              }
              onDelete={(row) => {
                if (rows.length === 1) toastError(NEEDS_GATEWAY)
                else set(rows.filter((r) => r !== row))
                return rows.length > 1
              }}
            >
              {(row, actions) => (
                <Gateway form={form} row={row} index={rows.indexOf(row)} byAddress={byAddress}>
                  {actions}
                </Gateway>
              )}
            </Grid>
          </Section>
        )
      }}
    </form.Subscribe>
  )
}

function Gateway({
  form,
  row,
  index,
  byAddress,
  children,
}: {
  form: FormLike<CarrierValues>
  row: GatewayValues
  index: number
  byAddress: boolean
  children: ReactNode
}) {
  const at = (field: keyof GatewayValues) => `sip_gateways[${index}].${field}` as const
  const check = (field: keyof GatewayValues, label: string) => (
    <form.Checkbox name={at(field)} label={label} />
  )
  return (
    <>
      <div className="grid-line">
        <form.TextField
          name={at('ipv4')}
          label={t('Network address')}
          mono
          placeholder={'1.2.3.4 / sip.my.com'}
          onChange={(address: string) => {
            const port = portFor(address, row.port)
            if (port !== row.port) form.setFieldValue(at('port'), port)
          }}
        />
        <form.TextField
          name={at('port')}
          label={t('Port')}
          inputMode="numeric"
          placeholder="5060"
          mono
        />
        <form.SelectField
          name={at('netmask')}
          label={t('Netmask')}
          options={NETMASKS}
          disabled={!row.inbound}
        />
        <form.SelectField name={at('protocol')} label={t('Protocol')} options={PROTOCOLS} />
      </div>
      <div className="grid-checks">
        {/* other trunk types identify the carrier by credentials, so their gateways are outbound */}
        {(byAddress || row.inbound || !row.outbound) && (
          <>
            {check('inbound', t('Inbound'))}
            {check('outbound', t('Outbound'))}
          </>
        )}
        {check('is_active', t('Active'))}
        {check('pad_crypto', t('Pad crypto'))}
        {check('send_options_ping', t('Send OPTIONS ping'))}
        {row.protocol.startsWith('tls') && (
          <>
            {check('use_sips_scheme', t('Use sips scheme'))}
            {check('remove_ice', t('Remove ICE'))}
            {check('dtls_off', t('DTLS off'))}
          </>
        )}
        {children}
      </div>
    </>
  )
}
