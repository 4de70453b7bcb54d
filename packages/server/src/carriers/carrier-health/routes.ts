import { type api, t } from '@switchroom/contract'
import { Failure, found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import * as carriers from '../voip-carriers/queries.ts'
import * as health from './queries.ts'

export const carrierHealthRoutes: Handlers<typeof api.carrierHealth> = {
  async list({ query: { voip_carrier_sids: sids }, scope, ctx }) {
    const rows = await carriers.findAll(ctx.db, scope, sids)
    // one may have been deleted since the list was read
    if (rows.length === 0) throw new Failure('not_found', t('No such carrier'))
    const order = new Map(sids.map((sid, i) => [sid, i]))
    rows.sort((a, b) => order.get(a.voip_carrier_sid)! - order.get(b.voip_carrier_sid)!)
    return health.healthOf(ctx, scope, rows)
  },

  async view({ params: { voip_carrier_sid }, scope, ctx }) {
    const carrier = found(await carriers.find(ctx.db, scope, voip_carrier_sid), t('carrier'))
    return health.view(ctx, scope, carrier)
  },
}
