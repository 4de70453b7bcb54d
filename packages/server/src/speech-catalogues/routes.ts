import type { api } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import { conflict, found } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import { protocolOf, vendorId } from '../speech/protocols.ts'

async function offered(vendor: string) {
  const id = vendorId(vendor)
  const catalogue = id && (await protocolOf(id)).fallback
  if (!catalogue) throw conflict('vendor', `Invalid vendor ${vendor}`)
  return catalogue
}

export const speechCatalogueRoutes: Handlers<typeof api.speechCatalogues> = {
  async ofAccount({ params, query, scope, ctx }) {
    found(await accounts.isVisible(ctx.db, scope, params.account_sid), 'account')
    return offered(query.vendor)
  },

  async ofServiceProvider({ params, query, scope, ctx }) {
    found(
      await serviceProviders.find(ctx.db, scope, params.service_provider_sid),
      'service provider',
    )
    return offered(query.vendor)
  },
}
