import { randomUUID } from 'node:crypto'
import { type ApiKey, type api, apiKeys as contract, t } from '@switchroom/contract'
import { audited, auditedIn } from '../../audit/audited.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { newToken } from '../../http/api-key.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { refuseKeyForUsers, refuseWiderKey } from '../../http/key-limits.ts'
import type { KeyLimits, Scope } from '../../http/scope.ts'
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
        t(
          'an account level token can only be used to create account level tokens for the same account',
        ),
      )
    return { account_sid, service_provider_sid: null }
  }
  if (scope.role === 'service_provider') {
    if (!account_sid && !service_provider_sid)
      throw new Failure(
        'invalid',
        t('service provider token may not be used to create admin token'),
      )
    const foreignProvider =
      service_provider_sid && service_provider_sid !== scope.service_provider_sid
    if (foreignProvider || (account_sid && !(await accounts.findVisible(db, scope, account_sid))))
      throw new Failure(
        'invalid',
        t(
          'a service provider token can only be used to create tokens for the same service provider',
        ),
      )
  }
  if (account_sid) {
    await accounts.owned(db, scope, account_sid)
    return { account_sid, service_provider_sid: null }
  }
  if (service_provider_sid && !(await serviceProviders.find(db, scope, service_provider_sid)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: service_provider_sid ?? null }
}

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'api_key' as const,
  sid,
  view: contract.view,
  read: (tx: Db) => apiKeys.find(tx, scope, sid),
})

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

/** Creator of a key: a user by name, or another key. */
const creatorOf = (scope: Scope) =>
  (scope.name ?? (scope.api_key_sid ? t('API key') : null))?.slice(0, 255) ?? null

const limitsOf = ({ expires_at, kinds = null, networks = null }: ApiKey): KeyLimits => ({
  expires_at,
  kinds,
  networks,
})

const isOver = (expires_at: string | null) =>
  expires_at !== null && Date.parse(expires_at) <= Date.now()

/** Throws 422 for a key that has expired, or is about to in favour of its successor. */
function refuseOld({ replaced_by, expires_at }: ApiKey) {
  if (replaced_by) throw new Failure('conflict', t('This API key has been rotated already'))
  if (isOver(expires_at)) throw new Failure('conflict', t('This API key has expired'))
}

/** The last second of a `timestamp` column in MySQL and MariaDB. */
const LATEST = Date.parse('2038-01-19T03:14:07Z')

function refuseImpossibleExpiry(
  field: 'expiry_secs' | 'expires_at',
  expires_at: string | null | undefined,
) {
  if (!expires_at) return
  if (isOver(expires_at)) throw invalidField(field, t('Enter a time in the future'))
  if (Date.parse(expires_at) > LATEST)
    throw invalidField(field, t('A key can expire until January 19, 2038, or never'))
}

/** The limits of the calling key. Its own are as stored now: somebody may have narrowed it since it was let in. */
function ownLimits(scope: Scope, edited: ApiKey) {
  if (scope.api_key_sid !== edited.api_key_sid) return scope.key_limits
  if (edited.view_only) throw new Failure('forbidden', t('This API key can only read'))
  return limitsOf(edited)
}

export const apiKeyRoutes: Handlers<typeof api.apiKeys> = {
  list: ({ query, scope, ctx }) => apiKeys.list(ctx.db, scope, 'administrators', query),

  view: async ({ params: { api_key_sid }, scope, ctx }) =>
    found(await apiKeys.find(ctx.db, scope, api_key_sid), t('API key')),

  async create({ body, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    const token = newToken()
    const answer = { sid, token }
    const { name = null, view_only, kinds = null, networks = null, expiry_secs } = body
    const limits = { expires_at: expiry_secs ? inSeconds(expiry_secs) : null, kinds, networks }
    refuseImpossibleExpiry('expiry_secs', limits.expires_at)
    await audited(actor, { ...auditSubject(scope, sid), isNew: true, answer }, async (tx) => {
      const owner = await ownerFor(tx, scope, body)
      refuseWiderKey(scope.key_limits, 'create', limits)
      refuseKeyForUsers(scope, limits)
      const created_by = creatorOf(scope)
      await apiKeys.insert(tx, {
        api_key_sid: sid,
        token,
        name,
        created_by,
        view_only,
        ...limits,
        ...owner,
      })
    })
    return answer
  },

  async update({ params: { api_key_sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, api_key_sid), async (tx, before) => {
      const stored = found(before, t('API key'))
      refuseOld(stored)
      refuseImpossibleExpiry('expires_at', body.expires_at)
      const { name = null, view_only = 0 } = stored
      const after = { name, view_only, ...limitsOf(stored), ...definedFields(body) }
      refuseWiderKey(ownLimits(scope, stored), 'change', after)
      refuseKeyForUsers(scope, after)
      await apiKeys.update(tx, scope, api_key_sid, after)
    })
  },

  async rotate({ params: { api_key_sid }, body: { overlap_secs }, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    const token = newToken()
    await audited(actor, auditSubject(scope, api_key_sid), async (tx, before) => {
      const old = found(before, t('API key'))
      refuseOld(old)
      const { account_sid, service_provider_sid, name = null, view_only = 0 } = old
      const limits = limitsOf(old)
      refuseWiderKey(scope.key_limits, 'create', limits)
      refuseKeyForUsers(scope, limits)
      const end = inSeconds(overlap_secs)
      await apiKeys.replace(tx, scope, api_key_sid, {
        successor: sid,
        expires_at: old.expires_at && old.expires_at < end ? old.expires_at : end,
      })
      const successor = {
        api_key_sid: sid,
        token,
        name,
        created_by: creatorOf(scope),
        view_only,
        account_sid,
        service_provider_sid,
        ...limits,
      }
      await auditedIn(tx, actor, { ...auditSubject(scope, sid), isNew: true }, () =>
        apiKeys.insert(tx, successor),
      )
    })
    return { sid, token }
  },

  async remove({ params: { api_key_sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, api_key_sid), async (tx, before) => {
      found(before, t('API key'))
      await apiKeys.remove(tx, actor.scope, api_key_sid)
    })
  },

  async ofAccount({ params: { account_sid }, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), t('account'))
    return apiKeys.list(ctx.db, scope, { account_sid }, query)
  },

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
    return apiKeys.list(ctx.db, scope, { service_provider_sid }, query)
  },
}
