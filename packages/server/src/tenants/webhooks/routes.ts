import { randomUUID } from 'node:crypto'
import { type api, BASIC_AUTH_NEEDS_BOTH, MASK, t, WEBHOOKS_PER_HOUR } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { ownerIn, type Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { hourly } from '../../live/hourly.ts'
import * as webhooks from './queries.ts'

/** Counts requests per account or provider, over all its users and keys. Throws 429 above the limit. */
async function countRequest(ctx: Context, scope: Scope) {
  const { account_sid, service_provider_sid } = ownerIn(scope)
  const owner = account_sid ?? service_provider_sid
  const retry_after = owner && (await hourly(ctx, `webhooks:${owner}`, WEBHOOKS_PER_HOUR))
  if (retry_after)
    throw new Failure('too_many', t('Too many new webhooks. Try again in an hour.'), {
      retry_after,
    })
}

export const webhookRoutes: Handlers<typeof api.webhooks> = {
  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    if (body.password === MASK) throw invalidField('password', BASIC_AUTH_NEEDS_BOTH)
    await countRequest(ctx, scope)
    const sid = randomUUID()
    // for the audit log: a webhook row names no owner
    const read = async (tx: Db) => ({ ...(await webhooks.find(tx, sid)), ...ownerIn(scope) })
    await audited(actor, { kind: 'webhook', sid, read, isNew: true }, (tx) =>
      webhooks.insert(tx, body, sid),
    )
    return { sid }
  },

  view: async ({ params: { webhook_sid }, ctx }) =>
    found(await webhooks.find(ctx.db, webhook_sid), t('webhook')),
}
