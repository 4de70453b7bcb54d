import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import { refuseOverLimit } from '../../http/limits.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import * as carrierViews from '../voip-carriers/view.ts'
import * as templates from './queries.ts'

type Owner = { account_sid: string | null; service_provider_sid: string }

async function add(actor: Actor & { ctx: Context }, predefined_carrier_sid: string, owner: Owner) {
  const { ctx, scope } = actor
  refuseToAccounts(ctx, scope)
  const sid = randomUUID()
  const read = (tx: Db) => carrierViews.view({ ...ctx, db: tx }, scope, sid)
  await audited(actor, { kind: 'voip_carrier', sid, read, isNew: true }, async (tx) => {
    const template = found(
      await templates.find(tx, predefined_carrier_sid),
      t('predefined carrier'),
    )
    await refuseOverLimit(ctx, tx, scope, 'voip_carriers')
    await templates.copy(tx, sid, ctx.schemaHas, template, owner)
  })
  return { sid }
}

export const predefinedCarrierRoutes: Handlers<typeof api.predefinedCarriers> = {
  list: ({ ctx }) => templates.list(ctx.db),

  async addToAccount({ params: { account_sid, predefined_carrier_sid }, ...actor }) {
    const { scope, ctx } = actor
    const { service_provider_sid } = found(
      await accounts.findVisible(ctx.db, scope, account_sid),
      t('account'),
    )
    return add(actor, predefined_carrier_sid, { account_sid, service_provider_sid })
  },

  async addToServiceProvider({ params, ...actor }) {
    const { scope, ctx } = actor
    const { service_provider_sid, predefined_carrier_sid } = params
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
    return add(actor, predefined_carrier_sid, { account_sid: null, service_provider_sid })
  },
}
