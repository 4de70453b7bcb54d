import { sipGateways, smppGateways, voipCarriers } from '@switchroom/contract'
import { query, send } from '../lib/api'
import { capabilities } from '../lib/capabilities'

/** A carrier with its gateways, which a stock server gives one kind at a time. */
export const viewOf = (voip_carrier_sid: string) => ({
  ...query(voipCarriers.view, { params: { voip_carrier_sid } }),
  queryFn: async () => {
    const own = await capabilities()
    const asked = { query: { voip_carrier_sid } }
    const [carrier, sip, smpp] = await Promise.all([
      send(voipCarriers.view, { params: { voip_carrier_sid } }),
      own ? undefined : send(sipGateways.list, asked),
      own ? undefined : send(smppGateways.list, asked),
    ])
    return { ...carrier, ...(sip && { sip_gateways: sip }), ...(smpp && { smpp_gateways: smpp }) }
  },
})
