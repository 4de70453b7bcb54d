import { query } from '../../lib/api'
import { carrierHealth } from '../../lib/endpoints'

const REFRESH_MS = 30_000

/** The health of the carriers on a page. It is shown beside the list, so that its failure is not reported elsewhere. */
export const healthOf = (sids: readonly string[]) => ({
  ...query(carrierHealth.list, { query: { voip_carrier_sids: sids.join() } }),
  meta: { background: true as const },
  refetchInterval: REFRESH_MS,
})

/** The health of one, with its last month. */
export const healthView = (voip_carrier_sid: string) => ({
  ...query(carrierHealth.view, { params: { voip_carrier_sid } }),
  meta: { background: true as const },
  refetchInterval: REFRESH_MS,
})
