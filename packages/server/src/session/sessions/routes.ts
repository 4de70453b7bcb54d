import { type api, t } from '@switchroom/contract'
import { type Actor, record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { endingSessions, endSession } from '../../http/sessions.ts'
import { refuseManaging } from '../../users/checks.ts'
import * as users from '../../users/queries.ts'
import * as sessions from './queries.ts'

const listOf = ({ ctx, scope }: { ctx: Context; scope: Scope }, user_sid: string) =>
  sessions.list(ctx.db, user_sid, { current: scope.session_sid, now: ctx.tokens.now() })

const noSuchSession = () => new Failure('not_found', t('No such session'))

type User = NonNullable<Awaited<ReturnType<typeof users.find>>>

/** Writes down who ended whose sessions: one by its sid, or all by the user's. */
const recordEnd = (tx: Db, actor: Actor, user: User, sid: string) => {
  const { name, account_sid, service_provider_sid } = user
  const entry = { action: 'delete', kind: 'session', sid, name } as const
  const owners = { account_sid, service_provider_sid }
  return record(tx, actor, [{ ...entry, ...owners, before: null, after: null }])
}

export const sessionListRoutes: Handlers<typeof api.sessions> = {
  list: (actor) => listOf(actor, actor.scope.user_sid!),

  async end({ params: { session_sid }, scope, ctx }) {
    if (!(await endSession(ctx, scope.user_sid!, session_sid))) throw noSuchSession()
  },

  async endOthers({ scope: { user_sid, session_sid }, ctx }) {
    await endingSessions(ctx, [user_sid!], async () => undefined, { keep: { session_sid } })
  },

  async ofUser({ params: { user_sid }, ...actor }) {
    const { scope } = actor
    found(await users.find(actor.ctx.db, scope, user_sid), t('user'))
    refuseManaging(scope, user_sid)
    if (scope.view_only && user_sid !== scope.user_sid)
      throw new Failure('forbidden', t('User has view-only access'))
    return listOf(actor, user_sid)
  },

  async endOfUser({ params: { user_sid, session_sid }, ...actor }) {
    const { ctx, scope } = actor
    await transaction(ctx.db, async (tx) => {
      const user = found(await users.find(tx, scope, user_sid), t('user'))
      refuseManaging(scope, user_sid)
      const store = { ...ctx, db: tx, live: ctx.live.within(tx) }
      if (!(await endSession(store, user_sid, session_sid))) throw noSuchSession()
      await recordEnd(tx, actor, user, session_sid)
    })
  },

  async endAllOfUser({ params: { user_sid }, ...actor }) {
    const { ctx, scope } = actor
    const end = async (tx: Db) => {
      const user = found(await users.find(tx, scope, user_sid), t('user'))
      refuseManaging(scope, user_sid)
      await recordEnd(tx, actor, user, user_sid)
    }
    const own = user_sid === scope.user_sid && { keep: { session_sid: scope.session_sid } }
    await endingSessions(ctx, [user_sid], end, { ...own })
  },
}
