import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'

// loaded when first asked for, since few servers need them
const steps = () => import('./queries.ts')
const calls = () => import('./first-call.ts')

export const gettingStartedRoutes: Handlers<typeof api.gettingStarted> = {
  view: async ({ query, scope, ctx }) =>
    (await steps()).gettingStarted(ctx, scope, query.service_provider_sid),

  async call({ query, scope, ctx }) {
    const owner = await (await steps()).ownerFor(ctx.db, scope, query.service_provider_sid)
    const { firstCall } = await calls()
    return { call: await firstCall(ctx, scope, owner, Date.parse(query.since)) }
  },
  connect: async ({ body, ctx }) =>
    (await import('./connect.ts')).checkConnection(ctx.config, body),
}
