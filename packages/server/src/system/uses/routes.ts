import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'
import { usesOf } from './queries.ts'

export const useRoutes: Handlers<typeof api.uses> = {
  view: ({ params: { kind, sid }, scope, ctx }) => usesOf(ctx.db, scope, kind, sid),
}
