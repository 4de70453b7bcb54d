import { type api, modelSessions as contract, type ModelSessions, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as sessions from './queries.ts'
import { MODEL_EVENTS_PATH } from './serve.ts'

/** Undefined for an account that the caller may not see. */
async function view(
  { config }: Pick<Context, 'config'>,
  db: Db,
  scope: Scope,
  account_sid: string,
): Promise<ModelSessions | undefined> {
  const account = await accounts.findVisible(db, scope, account_sid)
  if (!account) return undefined
  const address = `${config.base_url ?? ''}${MODEL_EVENTS_PATH}/${account_sid}`
  return { ...account, address, ...(await sessions.shown(db, account_sid)) }
}

const auditSubject = (ctx: Context, scope: Scope, account_sid: string) => ({
  kind: 'model_sessions' as const,
  sid: account_sid,
  view: contract.view,
  async read(tx: Db) {
    const shown = await view(ctx, tx, scope, account_sid)
    const row = await sessions.stored(tx, account_sid)
    // a digest, so that the audit log can tell when it changed
    return shown && { ...shown, token_digest: row?.token_digest ?? null }
  },
})

export const modelSessionRoutes: Handlers<typeof api.modelSessions> = {
  view: async ({ params, scope, ctx }) =>
    found(await view(ctx, ctx.db, scope, params.account_sid), t('account')),

  async refused({ params: { account_sid }, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), t('account'))
    return { refused: await sessions.refusedOf(ctx.db, account_sid) }
  },

  async update({ params: { account_sid }, body: { currency, prices }, ...actor }) {
    const { ctx, scope } = actor
    await audited(actor, auditSubject(ctx, scope, account_sid), async (tx, before) => {
      found(before, t('account'))
      await sessions.insert(tx, account_sid)
      const change = { currency, prices: JSON.stringify(prices) }
      await sessions.update(tx, scope, account_sid, change)
    })
  },

  async rotateSecret({ params: { account_sid }, ...actor }) {
    const { ctx, scope } = actor
    const secret = sessions.newSecret()
    await audited(actor, auditSubject(ctx, scope, account_sid), async (tx, before) => {
      found(before, t('account'))
      await sessions.insert(tx, account_sid)
      const open_since = new Date().toISOString()
      const token_digest = sessions.secretDigest(secret)
      await sessions.update(tx, scope, account_sid, { open_since, token_digest })
    })
    return { secret }
  },

  async removeSecret({ params: { account_sid }, ...actor }) {
    const { ctx, scope } = actor
    await audited(actor, auditSubject(ctx, scope, account_sid), async (tx, before) => {
      found(before, t('account'))
      await sessions.update(tx, scope, account_sid, { open_since: null, token_digest: null })
    })
  },
}
