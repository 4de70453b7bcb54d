import { randomUUID } from 'node:crypto'
import type { api } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import { changing } from '../changes/changing.ts'
import type { Who } from '../changes/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { found } from '../http/failure.ts'
import { refuseOverLimit } from '../http/limits.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as carriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/refuse.ts'
import * as templates from './queries.ts'

type Owner = { account_sid: string | null; service_provider_sid: string }

async function add(who: Who & { ctx: Context }, predefined_carrier_sid: string, owner: Owner) {
  const { ctx, scope } = who
  refuseToAccounts(ctx, scope)
  const sid = randomUUID()
  const read = (tx: Db) => carriers.view(tx, ctx.has, scope, sid)
  await changing(who, { kind: 'voip_carrier', sid, read, isNew: true }, async (tx) => {
    const template = found(await templates.find(tx, predefined_carrier_sid), 'predefined carrier')
    await refuseOverLimit(ctx, tx, scope, 'voip_carriers')
    await templates.copy(tx, sid, ctx.has, template, owner)
  })
  return { sid }
}

export const predefinedCarrierRoutes: Handlers<typeof api.predefinedCarriers> = {
  list: ({ ctx }) => templates.list(ctx.db),

  async addToAccount({ params: { account_sid, predefined_carrier_sid }, ...who }) {
    const { scope, ctx } = who
    const { service_provider_sid } = found(
      await accounts.isVisible(ctx.db, scope, account_sid),
      'account',
    )
    return add(who, predefined_carrier_sid, { account_sid, service_provider_sid })
  },

  async addToServiceProvider({ params, ...who }) {
    const { scope, ctx } = who
    const { service_provider_sid, predefined_carrier_sid } = params
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
    return add(who, predefined_carrier_sid, { account_sid: null, service_provider_sid })
  },
}
