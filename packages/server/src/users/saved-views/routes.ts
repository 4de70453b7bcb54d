import { randomUUID } from 'node:crypto'
import { type api, MAX_SAVED_VIEWS, t, VIEW_NAME_TAKEN } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { conflict, Failure, found, notPermitted } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as savedViews from './queries.ts'

/** A view moves between a person's own and the shared ones, each with names of its own. */
const lock = 'saved_views'

const ownerOf = (scope: Scope) => ({
  account_sid: scope.role === 'account' ? scope.account_sid : null,
  service_provider_sid: scope.role === 'admin' ? null : scope.service_provider_sid,
})

/** A shared view only: it is added to the log when it is shared, and deleted when that ends. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'saved_view' as const,
  sid,
  lock,
  read: async (tx: Db) => {
    const row = await savedViews.find(tx, scope, sid)
    if (!row || row.shared_with === null) return undefined
    // the entry names its author; this would differ by reader
    const { is_own: _, ...view } = savedViews.readable(scope, row)
    return { ...view, ...ownerOf(scope) }
  },
})

/** Throws 403 if a view-only user changes a shared view. */
function refuseShared({ view_only }: Scope, row: savedViews.Row) {
  if (view_only && row.shared_with !== null)
    throw new Failure('forbidden', t('User has view-only access'))
}

/** Throws 422 when there are as many as there may be. */
async function refuseOverLimit(tx: Db, scope: Scope, isShared: boolean) {
  if ((await savedViews.count(tx, scope, isShared)) < MAX_SAVED_VIEWS) return
  const which = isShared ? t('shared views') : t('views of your own')
  throw new Failure(
    'conflict',
    t('There can be at most {MAX_SAVED_VIEWS} {which}.', { MAX_SAVED_VIEWS, which }),
  )
}

type Named = Parameters<typeof savedViews.isTaken>[2]
async function refuseTaken(tx: Db, scope: Scope, view: Named, isShared: boolean) {
  if (await savedViews.isTaken(tx, scope, view, isShared)) throw conflict('name', VIEW_NAME_TAKEN)
}

export const savedViewRoutes: Handlers<typeof api.savedViews> = {
  list: ({ query, scope, ctx }) => savedViews.list(ctx.db, scope, query.list),

  async create({ body: { list, name, search, view, is_shared }, ...actor }) {
    const { scope } = actor
    if (is_shared && scope.view_only) throw notPermitted('is_shared')
    const sid = randomUUID()
    await audited(actor, { ...auditSubject(scope, sid), answer: { sid } }, async (tx) => {
      await refuseOverLimit(tx, scope, is_shared)
      const row = { saved_view_sid: sid, list, name }
      await refuseTaken(tx, scope, row, is_shared)
      const now = new Date().toISOString()
      await savedViews.insert(tx, {
        ...row,
        content: JSON.stringify({ search, view }),
        // API keys do not get here
        user_sid: scope.user_sid!,
        shared_with: is_shared ? savedViews.sharedWith(scope) : null,
        created_at: now,
        updated_at: now,
      })
    })
    return { sid }
  },

  async update({ params: { saved_view_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const row = found(await savedViews.find(tx, scope, sid), t('saved view'))
      refuseShared(scope, row)
      const stored = savedViews.readable(scope, row)
      const { name = stored.name, is_shared = stored.is_shared } = body
      const { search = stored.search, view = stored.view } = body
      if (is_shared !== stored.is_shared) {
        // a colleague who stopped sharing would take it from everyone and leave it to its owner alone
        if (!stored.is_own || scope.view_only) throw notPermitted('is_shared')
        await refuseOverLimit(tx, scope, is_shared)
      }
      await refuseTaken(tx, scope, { saved_view_sid: sid, list: row.list, name }, is_shared)
      await savedViews.update(tx, scope, sid, {
        name,
        content: JSON.stringify({ search, view }),
        shared_with: is_shared ? savedViews.sharedWith(scope) : null,
        updated_at: new Date().toISOString(),
      })
    })
  },

  async remove({ params: { saved_view_sid: sid }, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      refuseShared(scope, found(await savedViews.find(tx, scope, sid), t('saved view')))
      await savedViews.remove(tx, scope, sid)
    })
  },
}
