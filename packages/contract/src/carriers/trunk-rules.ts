import type { z } from 'zod'
import { enter } from '../wire/plain-messages.ts'
import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'
import { addressKind, DEFAULT_SIP_PORT } from './gateway-rules.ts'
import { GATEWAY_TAKEN, type SipGatewayIn } from './sip-gateways.ts'
import { duplicateSmppGatewayIssue, type SmppGatewayIn } from './smpp-gateways.ts'

export const AUTH_NEEDS_BOTH = t('Auth Trunk requires both username and password credentials.')
export const STATIC_IP_NEEDS_INBOUND = t(
  'Static IP Whitelist trunk type requires at least one inbound gateway.',
)
export const AUTH_REG_NEEDS_OUTBOUND = t(
  'Auth and Registration trunk types require at least one outbound gateway.',
)
export const NEEDS_OUTBOUND = t('You must provide at least one outbound SIP Gateway.')
export const REALM_REQUIRED = t('Enter the SIP realm. Registration requires it')
export const SMPP_NEEDS_OUTBOUND = t(
  'At least one outbound gateway is required when using system ID or password above.',
)
export const SMPP_NEEDS_PASSWORD = t(
  'Password is required if whitelisting carrier IP address(es) below.',
)
type Gateways = z.infer<typeof SipGatewayIn>[]

/** Two gateways of a carrier must not share address and port. The later one gets the issue. */
export const duplicateGateways = (gateways: Gateways) => {
  const seen = new Set<string>()
  return gateways.flatMap((g, i) => {
    const isAddress = addressKind(g.ipv4) === 'ip'
    const key = `${g.ipv4.toLowerCase()}:${g.port ?? (isAddress ? DEFAULT_SIP_PORT : '')}`
    const twice = seen.has(key)
    seen.add(key)
    return twice ? [{ path: ['sip_gateways', i, 'ipv4'], message: GATEWAY_TAKEN }] : []
  })
}

export type Trunk = {
  trunk_type?: string | undefined
  requires_register?: number | undefined
  register_username?: string | null | undefined
  register_password?: string | null | undefined
  register_sip_realm?: string | null | undefined
  inbound_auth_username?: string | null | undefined
  inbound_auth_password?: string | null | undefined
  sip_gateways?: Gateways | undefined
  smpp_system_id?: string | null | undefined
  smpp_password?: string | null | undefined
  smpp_inbound_password?: string | null | undefined
  smpp_gateways?: SmppGatewayIn[] | undefined
}

/** The rules between SMPP fields. */
function smppIssues(c: Trunk): Refusal[] {
  const gateways = c.smpp_gateways
  if (!gateways) return []
  const issues: Refusal[] = []
  if ((c.smpp_system_id || c.smpp_password) && !gateways.some((g) => g.outbound))
    issues.push({ path: ['smpp_gateways'], message: SMPP_NEEDS_OUTBOUND })
  if (gateways.some((g) => g.inbound) && !c.smpp_inbound_password)
    issues.push({ path: ['smpp_inbound_password'], message: SMPP_NEEDS_PASSWORD })
  for (const [i, gateway] of gateways.entries()) {
    const message = duplicateSmppGatewayIssue(gateway, gateways.slice(0, i))
    if (message) issues.push({ path: ['smpp_gateways', i, 'ipv4'], message })
  }
  return issues
}

/** All rules of a carrier, in the order of the form. */
export function trunkIssues(c: Trunk): Refusal[] {
  const issues: Refusal[] = []
  const gateways = c.sip_gateways
  if (c.trunk_type === 'auth') {
    for (const field of ['inbound_auth_username', 'inbound_auth_password'] as const)
      if (!c[field]) issues.push({ path: [field], message: AUTH_NEEDS_BOTH })
  }
  if (gateways) {
    const inbound = gateways.some((g) => g.inbound)
    const outbound = gateways.some((g) => g.outbound)
    if (c.trunk_type === 'auth' || c.trunk_type === 'reg') {
      if (gateways.length === 0) issues.push({ path: ['sip_gateways'], message: NEEDS_OUTBOUND })
      else if (!outbound) issues.push({ path: ['sip_gateways'], message: AUTH_REG_NEEDS_OUTBOUND })
    } else if (!inbound) issues.push({ path: ['sip_gateways'], message: STATIC_IP_NEEDS_INBOUND })
    issues.push(...duplicateGateways(gateways))
  }
  const registers = c.requires_register === 1 || c.trunk_type === 'reg'
  const missing = (field: string) => {
    const msg = registers
      ? t('{field} is required when requires_register is true', { field })
      : t('{field} is required', { field })
    issues.push({ path: [field], message: enter([field]), params: { msg } })
  }
  if ((registers || c.register_password) && !c.register_username) missing('register_username')
  if ((registers || c.register_username) && !c.register_password) missing('register_password')
  if (gateways && registers && !c.register_sip_realm)
    issues.push({ path: ['register_sip_realm'], message: REALM_REQUIRED })
  return [...issues, ...smppIssues(c)]
}

/** Why a carrier cannot be saved. With gateways all of it is checked; older clients save it in steps, without them. */
export const savedIssues = (c: Trunk): Refusal[] =>
  c.sip_gateways || c.smpp_gateways || c.requires_register === 1 ? trunkIssues(c) : []
