import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'
import * as preferences from './queries.ts'

/** Outside the audit log: they change how the console looks to one person, and no resource. */
export const preferenceRoutes: Handlers<typeof api.preferences> = {
  view: ({ scope, ctx }) => preferences.find(ctx.db, scope),

  async update({ body, scope, ctx }) {
    await preferences.update(ctx.db, scope, body)
  },
}
