import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'

export const thingVerdictRoutes: Handlers<typeof api.thingVerdicts> = {
  async list({ query: { kind, sids }, scope, ctx }) {
    // loaded when it is first needed, and not as the server starts
    const { verdictsOf } = await import('./queries.ts')
    return verdictsOf(ctx, scope, kind, sids)
  },
}
