import type { api } from '@switchroom/contract'
import { capabilities } from '../http/capabilities.ts'
import type { Handlers } from '../http/serve.ts'

export const systemRoutes: Handlers<typeof api.system> = {
  capabilities: async ({ ctx }) => capabilities(ctx),
}
