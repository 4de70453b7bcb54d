import {
  type Issue,
  MASK,
  SipGatewayIn,
  SmppGatewayIn,
  trunkIssues,
  type VoipCarrierView,
} from '@switchroom/contract'
import { type CarrierValues, rowInForm, toBody } from './values'

// apart from values.ts, since it loads the schemas

/** Checks the trunk's rules against form values and kept secrets. */
export function issuesOf(v: CarrierValues, stored?: VoipCarrierView): Issue[] {
  const secret = (typed: string | undefined, kept: string | null | undefined) =>
    typed === undefined ? kept && MASK : typed
  const { sip_gateways, smpp_gateways } = toBody(v, stored)
  // the schema marks an invalid row itself, but the rules for the whole carrier need it too
  const checked = <T>(rows: object[], schema: { safeParse: (row: unknown) => { data?: T } }) =>
    // an invalid row is passed on as typed
    rows.map((row) => schema.safeParse(row).data ?? (row as T))
  return trunkIssues({
    ...v,
    requires_register: v.requires_register ? 1 : 0,
    register_password: secret(v.register_password, stored?.register_password),
    inbound_auth_password: secret(v.inbound_auth_password, stored?.inbound_auth_password),
    smpp_password: secret(v.smpp_password, stored?.smpp_password),
    smpp_inbound_password: secret(v.smpp_inbound_password, stored?.smpp_inbound_password),
    sip_gateways: sip_gateways && checked(sip_gateways, SipGatewayIn),
    smpp_gateways: checked(smpp_gateways, SmppGatewayIn),
  }).map((issue) => ({ ...issue, path: rowInForm(issue.path, v) }))
}
