import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found, notPermitted } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../accounts/queries.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as limits from './queries.ts'

type HandlerInput<O> = { params: O; scope: Scope; ctx: Context }

async function ofAccount({ params, scope, ctx }: HandlerInput<{ account_sid: string }>) {
  found(await accounts.findVisible(ctx.db, scope, params.account_sid), t('account'))
  return params
}

async function ofProvider({ params, scope, ctx }: HandlerInput<{ service_provider_sid: string }>) {
  const { service_provider_sid } = params
  found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
  return params
}

/** All limits of an owner as one audit subject, by category. */
const auditSubject = (owner: limits.Owner) => ({
  kind: 'limit' as const,
  sid: limits.ownerSid(owner),
  lock: limits.lockOf(owner),
  async read(tx: Db) {
    const rows = await limits.list(tx, owner)
    return { ...owner, ...Object.fromEntries(rows.map((r) => [r.category, r.quantity])) }
  },
})

type ActorContext = Actor & { ctx: Context }
type Change = { category: limits.Category; quantity: number }

/** An account's console sends its limits with every save: unchanged ones succeed. */
async function setUnchanged(
  { ctx }: ActorContext,
  owner: limits.Owner,
  { category, quantity }: Change,
) {
  const [stored] = await limits.list(ctx.db, owner, category)
  if (!stored || stored.quantity !== quantity) throw notPermitted('quantity')
  return { sid: limits.sidOf(stored) }
}

async function removeNone({ ctx }: ActorContext, owner: limits.Owner, category?: limits.Category) {
  const stored = await limits.list(ctx.db, owner, category)
  if (stored.length > 0) throw notPermitted('category')
}

const set = async (actor: ActorContext, owner: limits.Owner, { category, quantity }: Change) => ({
  sid: await audited(actor, auditSubject(owner), (tx) => limits.set(tx, owner, category, quantity)),
})

const remove = (actor: ActorContext, owner: limits.Owner, category?: limits.Category) =>
  audited(actor, auditSubject(owner), (tx) => limits.remove(tx, actor.scope, owner, category))

export const limitRoutes: Handlers<typeof api.limits> = {
  ofAccount: async (r) =>
    limits.ofAccount(r.ctx.db, (await ofAccount(r)).account_sid, r.query.category),
  async setForAccount(r) {
    const owner = await ofAccount(r)
    return r.scope.role === 'account' ? setUnchanged(r, owner, r.body) : set(r, owner, r.body)
  },
  async removeFromAccount(r) {
    const owner = await ofAccount(r)
    const { category } = r.query
    return r.scope.role === 'account' ? removeNone(r, owner, category) : remove(r, owner, category)
  },
  ofServiceProvider: async (r) =>
    limits.ofProvider(r.ctx.db, (await ofProvider(r)).service_provider_sid, r.query.category),
  setForServiceProvider: async (r) => set(r, await ofProvider(r), r.body),
  async setForServiceProviderByPut(r) {
    await set(r, await ofProvider(r), r.body)
  },
  removeFromServiceProvider: async (r) => remove(r, await ofProvider(r), r.query.category),
}
