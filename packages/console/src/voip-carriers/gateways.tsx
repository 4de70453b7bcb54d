import { NEEDS_GATEWAY, SIP_PROTOCOLS } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useFieldContext } from '../lib/form-fields'
import type { FormLike } from '../lib/form-like'
import { Button, IconButton } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { toastBad } from '../ui/toast'
import type { TrunkType } from './trunk'
import { blankGateway, type CarrierValues, type GatewayValues, portFor } from './values'
import './gateways.css'

const NETMASKS = Array.from({ length: 32 }, (_, i) => String(32 - i)).map((n) => ({
  value: n,
  label: `/${n}`,
}))
const PROTOCOLS = SIP_PROTOCOLS.map((p) => ({
  value: p,
  label: p.toUpperCase().replace('/', '-'),
}))

const HINT: Record<TrunkType, string> = {
  static_ip:
    'Calls from the inbound addresses are taken as this carrier’s; at least one is needed. Calls to it go out through the outbound ones.',
  auth: 'Where calls to this carrier go. At least one outbound gateway is needed.',
  reg: 'Where this server registers and where calls to this carrier go. At least one outbound gateway is needed.',
}

/** The carrier's SIP gateways. Nothing is saved before the carrier is. */
export function Gateways({ form }: { form: FormLike }) {
  const readOnly = useReadOnly()
  return (
    <form.Subscribe selector={(s) => s.values as CarrierValues}>
      {({ sip_gateways: rows, trunk_type }) => (
        <Section title="SIP gateways" about={HINT[trunk_type as TrunkType]}>
          <form.AppField name="sip_gateways">{() => <WholeError />}</form.AppField>
          {rows.map((row, i) => (
            <Gateway
              key={row.key}
              form={form}
              row={row}
              index={i}
              onDelete={() => {
                if (rows.length === 1) return toastBad(NEEDS_GATEWAY)
                form.setFieldValue(
                  'sip_gateways',
                  rows.filter((r) => r.key !== row.key),
                )
              }}
            />
          ))}
          {!readOnly && (
            <div>
              <Button
                size="small"
                onClick={() =>
                  form.setFieldValue('sip_gateways', [
                    ...rows,
                    blankGateway(
                      trunk_type === 'static_ip' ? { inbound: true } : { outbound: true },
                    ),
                  ])
                }
              >
                <Plus aria-hidden />
                Add SIP Gateway
              </Button>
            </div>
          )}
        </Section>
      )}
    </form.Subscribe>
  )
}

/** What is wrong with the list as a whole; the tab counts it like any field. */
function WholeError() {
  const error = useFieldContext<GatewayValues[]>().state.meta.errors.find(Boolean) as
    | string
    | undefined
  return error ? (
    <fieldset className="gateways-error" aria-label="SIP gateways" aria-invalid tabIndex={-1}>
      <Notice tone="bad">{error}</Notice>
    </fieldset>
  ) : null
}

function Gateway({
  form,
  row,
  index,
  onDelete,
}: {
  form: FormLike
  row: GatewayValues
  index: number
  onDelete: () => void
}) {
  const at = (field: keyof GatewayValues) => `sip_gateways[${index}].${field}`
  const readOnly = useReadOnly()
  const check = (field: keyof GatewayValues, label: string) => (
    <form.AppField name={at(field)}>{(f) => <f.Checkbox label={label} />}</form.AppField>
  )
  return (
    <fieldset className="gateway">
      <legend>{row.ipv4 || `Gateway ${index + 1}`}</legend>
      <div className="gateway-line">
        <form.AppField name={at('ipv4')}>
          {(f) => (
            <f.TextField
              label="Network address"
              mono
              placeholder="1.2.3.4 / sip.my.com"
              onChange={(address: string) => {
                const port = portFor(address, row.port)
                if (port !== row.port) form.setFieldValue(at('port'), port)
              }}
            />
          )}
        </form.AppField>
        <form.AppField name={at('port')}>
          {(f) => <f.TextField label="Port" inputMode="numeric" placeholder="5060" mono />}
        </form.AppField>
        <form.AppField name={at('netmask')}>
          {(f) => <f.SelectField label="Netmask" options={NETMASKS} disabled={!row.inbound} />}
        </form.AppField>
        <form.AppField name={at('protocol')}>
          {(f) => <f.SelectField label="Protocol" options={PROTOCOLS} />}
        </form.AppField>
      </div>
      <div className="gateway-checks">
        {check('inbound', 'Inbound')}
        {check('outbound', 'Outbound')}
        {check('is_active', 'Active')}
        {check('pad_crypto', 'Pad crypto')}
        {check('send_options_ping', 'Send OPTIONS ping')}
        {row.protocol.startsWith('tls') && (
          <>
            {check('use_sips_scheme', 'Use sips scheme')}
            {check('remove_ice', 'Remove ICE')}
            {check('dtls_off', 'DTLS off')}
          </>
        )}
        {!readOnly && (
          <IconButton
            className="gateway-delete"
            label={`Delete SIP Gateway ${row.ipv4 || index + 1}`}
            onClick={onDelete}
          >
            <Trash2 />
          </IconButton>
        )}
      </div>
    </fieldset>
  )
}
