import { type api, t } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'
import { readSettings } from '../../http/single-sign-on.ts'
import { signedIn } from '../second-factor/log-in.ts'
import { unreachable } from './failures.ts'
import { authorize, logIn } from './log-in.ts'
import { backchannelLogout, logOut } from './log-out.ts'
import { openProvider } from './provider.ts'
import { testRules } from './sample.ts'
import * as settings from './settings.ts'

export const singleSignOnRoutes: Handlers<typeof api.singleSignOn> = {
  view: ({ ctx }) => settings.view(ctx, ctx.db),

  update: ({ body, ...actor }) => settings.update(actor, body),

  async check({ body: { issuer }, ctx }) {
    try {
      const provider = await openProvider(ctx.outbound, {
        issuer,
        client_id: 'check',
        client_secret: null,
      })
      const out = provider.endSession(undefined, issuer)
      return {
        ok: true,
        message: out
          ? t('{issuer} answers. Logging out here logs out there, too.', {
              issuer: provider.issuer,
            })
          : t('{issuer} answers. It has no log-out page, so people stay logged in there.', {
              issuer: provider.issuer,
            }),
      }
    } catch (e) {
      return { ok: false, message: unreachable(t('The issuer'), e).message }
    }
  },

  async testRules({ body: { sample, rules }, ctx }) {
    const tested = rules ?? (await readSettings(ctx, ctx.db)).rules
    return testRules(ctx.db, tested, sample)
  },

  authorize: async (request) => ({ url: await authorize(request) }),

  async logIn({ body, ...request }) {
    const { claims, token } = await logIn(request, body)
    return signedIn(request.ctx, claims, token)
  },

  async logOut({ query: { everywhere }, scope, ctx }) {
    return { url: await logOut(ctx, scope, everywhere === 1) }
  },

  async backchannelLogout({ body: { logout_token }, ctx }) {
    await backchannelLogout(ctx, logout_token)
    return {}
  },
}
