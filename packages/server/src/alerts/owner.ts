import { t } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import { invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import * as accounts from '../tenants/accounts/queries.ts'
import * as serviceProviders from '../tenants/service-providers/queries.ts'

/** An account, or else a provider. */
export type NamedOwner =
  | { account_sid: string; service_provider_sid: null }
  | { account_sid: null; service_provider_sid: string }

type RequestedOwner = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/** The owner of something new: an account or a provider. Throws 400 when the caller cannot see it. */
export async function ownerFor(
  db: Db,
  scope: Scope,
  requested: RequestedOwner,
): Promise<NamedOwner> {
  const owner = await accounts.ownerOf(db, scope, requested.account_sid)
  if (owner) return { account_sid: owner.account_sid, service_provider_sid: null }
  const sid =
    scope.role === 'service_provider' ? scope.service_provider_sid : requested.service_provider_sid
  if (!sid) throw invalidField('service_provider_sid', t('Choose an account or a service provider'))
  if (!(await serviceProviders.find(db, scope, sid)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: sid }
}
