import { keysOf, t } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import { invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import * as serviceProviders from '../tenants/service-providers/queries.ts'

type Owners = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}
type Stored = { account_sid: string | null; service_provider_sid: string | null }

const unknownOwner = (field: 'account_sid' | 'service_provider_sid') =>
  invalidField(
    field,
    field === 'account_sid' ? t('No such account') : t('No such service provider'),
  )

/**
 * The owners a caller may give a user: never above the caller's own; an account implies its provider.
 * Throws 400 for owners the caller cannot see.
 */
export async function ownersFor(db: Db, scope: Scope, input: Owners): Promise<Stored> {
  if (scope.role === 'account') {
    const own = { account_sid: scope.account_sid, service_provider_sid: scope.service_provider_sid }
    for (const field of ['account_sid', 'service_provider_sid'] as const)
      if (input[field] && input[field] !== own[field]) throw unknownOwner(field)
    return own
  }
  if (input.account_sid) {
    const account = await accounts.owned(db, scope, input.account_sid)
    if (input.service_provider_sid && input.service_provider_sid !== account.service_provider_sid)
      throw invalidField(
        'account_sid',
        t('Invalid request: user may not be moved to another service provider'),
      )
    return { account_sid: account.account_sid, service_provider_sid: account.service_provider_sid }
  }
  const own = scope.role === 'service_provider' ? scope.service_provider_sid : null
  const provider = input.service_provider_sid || own
  if (provider && !(await serviceProviders.find(db, scope, provider)))
    throw unknownOwner('service_provider_sid')
  return { account_sid: null, service_provider_sid: provider }
}

/**
 * The owners after a change; repeating the stored owners is no change. Throws 400 when the change is not
 * allowed.
 */
export async function ownersAfter(
  db: Db,
  scope: Scope,
  stored: Stored,
  input: Owners,
): Promise<Stored> {
  const wanted = {
    account_sid: input.account_sid === undefined ? stored.account_sid : input.account_sid,
    service_provider_sid:
      input.service_provider_sid === undefined
        ? stored.service_provider_sid
        : input.service_provider_sid,
  }
  const same = keysOf(wanted).every((k) => wanted[k] === stored[k])
  if (same) return wanted
  if (scope.role === 'account')
    throw invalidField(
      'account_sid',
      t('Invalid request: user may not be promoted or moved to another account'),
    )
  if (
    scope.role === 'service_provider' &&
    input.service_provider_sid &&
    input.service_provider_sid !== scope.service_provider_sid
  )
    throw invalidField(
      'service_provider_sid',
      t('Invalid request: user may not be promoted or moved to another service provider'),
    )
  return ownersFor(db, scope, wanted)
}

export const lock = 'users'
