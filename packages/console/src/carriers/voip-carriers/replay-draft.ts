import type { ReplayDraft } from '../replay/draft'
import type { CarrierValues } from './values'

/**
 * The form's carrier for a replay; undefined while it has no name or a gateway no address. A new carrier has a provider in
 * place of its sid.
 */
export function replayDraft(
  { name, is_active, account_sid, sip_gateways }: CarrierValues,
  {
    voip_carrier_sid,
    service_provider_sid,
  }: { voip_carrier_sid?: string; service_provider_sid?: string },
): ReplayDraft | undefined {
  const complete = name.trim() !== '' && sip_gateways.every((g) => g.ipv4.trim() !== '')
  if (!complete) return undefined
  return {
    ...(!voip_carrier_sid && (account_sid ? { account_sid } : { service_provider_sid })),
    carrier: {
      ...(voip_carrier_sid ? { voip_carrier_sid, account_sid: account_sid || null } : { name }),
      is_active,
      sip_gateways: sip_gateways.map(({ sip_gateway_sid, outbound, is_active }) => ({
        ...(sip_gateway_sid && { sip_gateway_sid }),
        outbound,
        is_active,
      })),
    },
  }
}
