import type { api } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { found } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as addresses from './queries.ts'

/** The provider a caller names, if it may know of that one. */
const named = async ({ db }: Context, scope: Scope, sid: string) =>
  found(await serviceProviders.find(db, scope, sid), 'service provider').service_provider_sid

export const signallingAddressRoutes: Handlers<typeof api.signallingAddresses> = {
  async sbcs({ query: { service_provider_sid: asked }, scope, ctx }) {
    const own = scope.role === 'admin' ? null : scope.service_provider_sid
    const provider = asked ? await named(ctx, scope, asked) : own
    const found = provider ? await addresses.sbcs(ctx.db, provider) : []
    return found.length > 0 ? found : addresses.sbcs(ctx.db, null)
  },

  async smpps({ query: { service_provider_sid: asked }, scope, ctx }) {
    const provider = asked ? await named(ctx, scope, asked) : null
    return ctx.has('smpp_addresses') ? addresses.smpps(ctx.db, provider) : []
  },
}
