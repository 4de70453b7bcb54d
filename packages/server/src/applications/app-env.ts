import type { api } from '@switchroom/contract'
import { invalidField } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import { askAppEnv } from '../outbound/app-env.ts'

export const appEnvRoutes: Handlers<typeof api.appEnv> = {
  async view({ query, ctx }) {
    const answer = await askAppEnv(ctx.outbound, query.url)
    if ('schema' in answer) return answer.schema
    if (answer.problem.code === 'invalid') throw invalidField('url', 'Invalid appenv schema')
  },

  check: ({ query, ctx }) => askAppEnv(ctx.outbound, query.url),
}
