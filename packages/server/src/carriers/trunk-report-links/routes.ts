import { type api, t } from '@switchroom/contract'
import { found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { makeLink, revokeLink } from '../../tenants/report-links/make.ts'
import * as carriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import { LINKS, ofCarrier } from './queries.ts'

export const trunkReportLinkRoutes: Handlers<typeof api.trunkReportLinks> = {
  async list({ params: { voip_carrier_sid }, scope, ctx }) {
    // accounts do not see who is told of their provider's carriers
    found(await carriers.findOwn(ctx.db, scope, voip_carrier_sid), t('carrier'))
    return ofCarrier(ctx.db, voip_carrier_sid)
  },

  async create({ params: { voip_carrier_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const wanted = { about: voip_carrier_sid, ...body }
    return makeLink(actor, LINKS, wanted, async (tx, columns, trunk_report_link_sid) => {
      const carrier = found(await carriers.findOwn(tx, scope, voip_carrier_sid), t('carrier'))
      const { account_sid, service_provider_sid } = carrier
      const owner = { account_sid, service_provider_sid }
      return { trunk_report_link_sid, voip_carrier_sid, ...owner, ...columns }
    })
  },

  async revoke({ params: { trunk_report_link_sid }, ...actor }) {
    refuseToAccounts(actor.ctx, actor.scope)
    await revokeLink(actor, LINKS, trunk_report_link_sid)
  },
}
