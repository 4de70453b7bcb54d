import { type api, t } from '@switchroom/contract'
import { invalidField } from '../http/failure.ts'
import { ownerIn, type Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { askAppEnv } from '../outbound/app-env.ts'
import { type Logging, loggedOutbound } from '../tenants/webhook-log/send-logged.ts'

const ask = (ctx: Logging, scope: Scope, url: string) =>
  askAppEnv(loggedOutbound(ctx, { kind: 'environment', ...ownerIn(scope) }), url)

export const appEnvRoutes: Handlers<typeof api.appEnv> = {
  async view({ query, scope, ctx }) {
    const answer = await ask(ctx, scope, query.url)
    if ('schema' in answer) return answer.schema
    if (answer.problem.code === 'invalid') throw invalidField('url', t('Invalid appenv schema'))
  },

  check: ({ query, scope, ctx }) => ask(ctx, scope, query.url),
}
