import { type api, t } from '@switchroom/contract'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'

/** Loaded when it is first needed, and not as the server starts. */
const loadQueries = () => import('./queries.ts')

export const carrierHealthRoutes: Handlers<typeof api.carrierHealth> = {
  async list({ query: { voip_carrier_sids: sids }, scope, ctx }) {
    const rows = await carriers.findAll(ctx.db, scope, sids)
    // one may have been deleted since the list was read
    if (rows.length === 0) throw new Failure('not_found', t('No such carrier'))
    const order = new Map(sids.map((sid, i) => [sid, i]))
    rows.sort((a, b) => order.get(a.voip_carrier_sid)! - order.get(b.voip_carrier_sid)!)
    return (await loadQueries()).healthOf(ctx, scope, rows)
  },

  async view({ params: { voip_carrier_sid }, scope, ctx }) {
    const carrier = found(await carriers.find(ctx.db, scope, voip_carrier_sid), t('carrier'))
    return (await loadQueries()).view(ctx, scope, carrier)
  },

  async troubles({ query, scope, ctx }) {
    const owner = await callsOwner(ctx, scope, query)
    const { troublesOf } = await import('./troubles.ts')
    return troublesOf(ctx, scope, owner)
  },
}
