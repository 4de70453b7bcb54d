import type { api } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { found } from '../http/failure.ts'
import { refuseOverLimit } from '../http/limits.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/refuse.ts'
import * as templates from './queries.ts'

type Owner = { account_sid: string | null; service_provider_sid: string }

async function add(ctx: Context, scope: Scope, predefined_carrier_sid: string, owner: Owner) {
  refuseToAccounts(ctx, scope)
  const sid = await transaction(ctx.db, async (tx) => {
    const template = found(await templates.find(tx, predefined_carrier_sid), 'predefined carrier')
    await refuseOverLimit(ctx, tx, scope, 'voip_carriers')
    return templates.copy(tx, ctx.has, template, owner)
  })
  return { sid }
}

export const predefinedCarrierRoutes: Handlers<typeof api.predefinedCarriers> = {
  list: ({ ctx }) => templates.list(ctx.db),

  async addToAccount({ params: { account_sid, predefined_carrier_sid }, scope, ctx }) {
    const { service_provider_sid } = found(
      await accounts.isVisible(ctx.db, scope, account_sid),
      'account',
    )
    return add(ctx, scope, predefined_carrier_sid, { account_sid, service_provider_sid })
  },

  async addToServiceProvider({ params, scope, ctx }) {
    const { service_provider_sid, predefined_carrier_sid } = params
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
    return add(ctx, scope, predefined_carrier_sid, { account_sid: null, service_provider_sid })
  },
}
