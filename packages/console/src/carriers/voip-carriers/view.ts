import { query } from '../../lib/api'
import { voipCarriers } from '../../lib/endpoints'

/** A carrier with its gateways. */
export const viewOf = (voip_carrier_sid: string) =>
  query(voipCarriers.view, { params: { voip_carrier_sid } })
