import { type api, type Received, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { conflict, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { vendorId } from '../protocol.ts'
import * as credentials from '../speech-credentials/queries.ts'
import { catalogueFor } from './fetch-catalogue.ts'
import * as catalogues from './queries.ts'

type Query = Received<typeof api.speechCatalogues.ofAccount>['query']

async function offered(ctx: Context, scope: Scope, owner: credentials.Owner, query: Query) {
  const id = vendorId(query.vendor)
  const builtIn = id && (await catalogues.fallbackOf(id))
  if (!builtIn) throw conflict('vendor', t('Invalid vendor {vendor}', { vendor: query.vendor }))
  const row = query.create_new ? undefined : await credentialOf(ctx, scope, owner, query)
  return catalogueFor(ctx, { vendor: id, row, fresh: query.fresh === 1, builtIn })
}

/** The credential with this sid or label. Throws if it belongs to another vendor. */
async function credentialOf(
  { db }: Context,
  scope: Scope,
  owner: credentials.Owner,
  { vendor, label, speech_credential_sid: sid }: Query,
) {
  if (!sid) return catalogues.labelled(db, scope, owner, vendor, label || null)
  const row = found(await credentials.find(db, scope, owner, sid), t('speech credential'))
  if (row.vendor !== vendor)
    throw conflict('speech_credential_sid', t('This is not a credential of {vendor}', { vendor }))
  return row
}

export const speechCatalogueRoutes: Handlers<typeof api.speechCatalogues> = {
  async ofAccount({ params, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, params.account_sid), t('account'))
    return offered(ctx, scope, params, query)
  },

  async ofServiceProvider({ params, query, scope, ctx }) {
    found(
      await serviceProviders.find(ctx.db, scope, params.service_provider_sid),
      t('service provider'),
    )
    return offered(ctx, scope, params, query)
  },
}
