import { voipCarriers } from '@switchroom/contract'
import { query } from '../../lib/api'

/** A carrier with its gateways. */
export const viewOf = (voip_carrier_sid: string) =>
  query(voipCarriers.view, { params: { voip_carrier_sid } })
