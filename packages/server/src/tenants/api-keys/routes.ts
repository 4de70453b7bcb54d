import { randomUUID } from 'node:crypto'
import type { api } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { timestamp } from '../../db/open.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../accounts/queries.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as apiKeys from './queries.ts'

type RequestedOwner = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/** The owner of a new key: never above the caller. The messages are the platform's. */
async function ownerFor(db: Db, scope: Scope, requested: RequestedOwner) {
  const { account_sid, service_provider_sid } = requested
  if (scope.role === 'account') {
    if (account_sid !== scope.account_sid || service_provider_sid)
      throw new Failure(
        'invalid',
        'an account level token can only be used to create account level tokens for the same account',
      )
    return { account_sid, service_provider_sid: null }
  }
  if (scope.role === 'service_provider') {
    if (!account_sid && !service_provider_sid)
      throw new Failure('invalid', 'service provider token may not be used to create admin token')
    const foreignProvider =
      service_provider_sid && service_provider_sid !== scope.service_provider_sid
    if (foreignProvider || (account_sid && !(await accounts.findVisible(db, scope, account_sid))))
      throw new Failure(
        'invalid',
        'a service provider token can only be used to create tokens for the same service provider',
      )
  }
  if (account_sid) {
    await accounts.owned(db, scope, account_sid)
    return { account_sid, service_provider_sid: null }
  }
  if (service_provider_sid && !(await serviceProviders.find(db, scope, service_provider_sid)))
    throw invalidField('service_provider_sid', 'No such service provider')
  return { account_sid: null, service_provider_sid: service_provider_sid ?? null }
}

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'api_key' as const,
  sid,
  read: (tx: Db) => apiKeys.find(tx, scope, sid),
})

export const apiKeyRoutes: Handlers<typeof api.apiKeys> = {
  async create({ body, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    const token = randomUUID()
    const expires_at = body.expiry_secs
      ? timestamp(new Date(Date.now() + body.expiry_secs * 1000))
      : null
    await audited(actor, { ...auditSubject(scope, sid), isNew: true }, async (tx) => {
      const owner = await ownerFor(tx, scope, body)
      await apiKeys.insert(tx, { api_key_sid: sid, token, expires_at, ...owner })
    })
    return { sid, token }
  },

  async remove({ params: { api_key_sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, api_key_sid), async (tx, before) => {
      found(before, 'API key')
      await apiKeys.remove(tx, actor.scope, api_key_sid)
    })
  },

  async ofAccount({ params: { account_sid }, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), 'account')
    return apiKeys.list(ctx.db, scope, { account_sid }, query)
  },

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
    return apiKeys.list(ctx.db, scope, { service_provider_sid }, query)
  },
}
