import { DTMF_TYPES, type Issue, type VoipCarrierView } from '@switchroom/contract'
import { ownAccount } from '../../lib/access'
import { defined, oneOf } from '../../lib/list-search'
import { unset } from '../../lib/unset'
import { blankGateway, gatewayToSend, gatewayValues, smppRows, smppToSend } from './gateway-values'
import { mayChooseApplication } from './may'
import { isOwnerless } from './owner'
import { trunkTypeOf } from './trunk-types'

/** Form values of a carrier. A password is undefined while the stored one is kept. */
export const valuesOf = (c?: VoipCarrierView) => ({
  name: c?.name ?? '',
  is_active: c ? c.is_active === 1 : true,
  service_provider_sid: c?.service_provider_sid ?? '',
  account_sid: c ? (c.account_sid ?? '') : (ownAccount() ?? ''),
  trunk_type: c?.trunk_type ?? 'static_ip',
  dtmf_type: c?.dtmf_type ?? 'rfc2833',
  application_sid: c?.application_sid ?? '',
  inbound_auth_username: c?.inbound_auth_username ?? '',
  inbound_auth_password: unset<string>(),
  e164_leading_plus: c?.e164_leading_plus === 1,
  register_username: c?.register_username ?? '',
  register_password: unset<string>(),
  requires_register: c?.requires_register === 1,
  register_sip_realm: c?.register_sip_realm ?? '',
  register_from_user: c?.register_from_user ?? '',
  register_from_domain: c?.register_from_domain ?? '',
  register_public_ip_in_contact: c?.register_public_ip_in_contact === 1,
  tech_prefix: c?.tech_prefix ?? '',
  diversion: c?.diversion ?? '',
  outbound_sip_proxy: c?.outbound_sip_proxy ?? '',
  sip_gateways: c ? c.sip_gateways.map(gatewayValues) : [blankGateway({ inbound: true })],
  smpp_system_id: c?.smpp_system_id ?? '',
  smpp_password: unset<string>(),
  smpp_inbound_system_id: c?.smpp_inbound_system_id ?? '',
  smpp_inbound_password: unset<string>(),
  smpp_gateways: smppRows(c?.smpp_gateways ?? []),
})
export type CarrierValues = ReturnType<typeof valuesOf>

const isFilled = (g: { ipv4: string }) => g.ipv4.trim() !== ''

/** Maps the row of an issue to its row in the form, since blank rows are not sent. */
export function rowInForm(path: Issue['path'], v: CarrierValues): Issue['path'] {
  const [list, index, ...rest] = path
  if (list !== 'smpp_gateways' || typeof index !== 'number') return path
  const row = v.smpp_gateways.filter(isFilled)[index]
  return [list, row ? v.smpp_gateways.indexOf(row) : index, ...rest]
}

/** Hidden fields are not sent; leaving an auth trunk clears its credentials. */
function hiddenFields(v: CarrierValues, stored?: VoipCarrierView) {
  const hidden: (keyof CarrierValues)[] = []
  if (!mayChooseApplication()) hidden.push('application_sid')
  if (!v.requires_register)
    hidden.push(
      'register_sip_realm',
      'register_from_user',
      'register_from_domain',
      'register_public_ip_in_contact',
    )
  if (v.trunk_type !== 'auth') hidden.push('inbound_auth_username', 'inbound_auth_password')
  const leavesAuth = stored?.trunk_type === 'auth' && v.trunk_type !== 'auth'
  return {
    ...Object.fromEntries(hidden.map((name) => [name, undefined])),
    ...(leavesAuth && { inbound_auth_username: null, inbound_auth_password: null }),
  }
}

/** A carrier without an owner may be given one, even while it is nothing but a name. */
function forOwner(v: CarrierValues, stored?: VoipCarrierView) {
  if (!stored || !isOwnerless(stored)) return { service_provider_sid: undefined }
  const unfinished =
    v.trunk_type === stored.trunk_type && v.sip_gateways.length + stored.sip_gateways.length === 0
  return {
    service_provider_sid: v.service_provider_sid || undefined,
    ...(unfinished && { sip_gateways: undefined }),
  }
}

export const toBody = (v: CarrierValues, stored?: VoipCarrierView) =>
  defined({
    ...v,
    ...hiddenFields(v, stored),
    trunk_type: trunkTypeOf(v.trunk_type),
    dtmf_type: oneOf(DTMF_TYPES, v.dtmf_type),
    outbound_sip_proxy: v.outbound_sip_proxy.replace(/\s+/g, ''),
    sip_gateways: v.sip_gateways.map(gatewayToSend),
    smpp_gateways: v.smpp_gateways.filter(isFilled).map(smppToSend),
    ...forOwner(v, stored),
  })
