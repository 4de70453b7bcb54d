import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'
import { namesOf } from './queries.ts'

export const nameRoutes: Handlers<typeof api.names> = {
  list: ({ query: { sids }, scope, ctx }) => namesOf(ctx.db, scope, sids),
}
