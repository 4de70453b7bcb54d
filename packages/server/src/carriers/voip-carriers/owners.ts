import { t, UNKNOWN_ACCOUNT } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { Failure, invalidField, refuseInUse } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as carriers from './queries.ts'
import * as carrierUses from './uses.ts'

/** The platform's answer to accounts, for foreign and missing carriers alike. */
export const ownerNotFound = (scope: Scope) =>
  scope.role === 'account'
    ? new Failure('conflict', t('carrier belongs to a different user'))
    : new Failure('not_found', t('No such carrier'))

export type Owner = { account_sid: string | null; service_provider_sid: string | null }
export type Input = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/**
 * The owner of a new carrier. When an admin names none, it is the only provider. With several providers it
 * has no owner, and the platform ignores its inbound calls until it gets one.
 */
export async function ownerFor(db: Db, scope: Scope, input: Input): Promise<Owner> {
  const owner = await accounts.ownerOf(db, scope, input.account_sid, UNKNOWN_ACCOUNT)
  const { service_provider_sid: provider } = input
  if (owner) {
    if (provider && provider !== owner.service_provider_sid)
      throw scope.role === 'account'
        ? invalidField('service_provider_sid', t('No such service provider'))
        : invalidField('account_sid', t('The account belongs to another service provider'))
    return owner
  }
  const own = scope.role === 'service_provider' ? scope.service_provider_sid : undefined
  const named = provider || own || (await serviceProviders.onlyOne(db)) || null
  if (named && !(await serviceProviders.find(db, scope, named)))
    throw invalidField('service_provider_sid', t('No such service provider'))
  return { account_sid: null, service_provider_sid: named }
}

/** The path's owner decides; the body may only repeat it. */
export function refuseOtherOwner(body: Input, path: Input) {
  for (const field of ['account_sid', 'service_provider_sid'] as const)
    if (body[field] && path[field] && body[field] !== path[field])
      throw invalidField(field, t('{field} differs from the one in the path', { field }))
}

/** The new owner, if the request changes it. Throws 400 when it may not. */
export async function ownerAfter(
  db: Db,
  scope: Scope,
  sid: string,
  stored: Owner,
  { account_sid, service_provider_sid: requested }: Input,
): Promise<Partial<Owner> | undefined> {
  const refused = (field: keyof Input) =>
    invalidField(field, t('{field} may not be modified', { field }))
  const provider = await carriers.providerOf(db, stored)
  if (account_sid !== undefined && account_sid !== stored.account_sid) {
    if (scope.role === 'account') throw refused('account_sid')
    const to = { account_sid, service_provider_sid: provider ?? requested }
    const owner = await ownerFor(db, scope, to)
    if (requested && requested !== owner.service_provider_sid) throw refused('service_provider_sid')
    await refuseMove(db, sid)
    return owner
  }
  if (requested === undefined || requested === stored.service_provider_sid) return undefined
  // a row of an older server may get its account's provider, one without an owner may get any
  if (!requested || (provider && requested !== provider)) throw refused('service_provider_sid')
  if (!provider) {
    if (!(await serviceProviders.find(db, scope, requested)))
      throw invalidField('service_provider_sid', t('No such service provider'))
    refuseInUse(
      t('To give the carrier to a service provider, make sure no one else uses it.'),
      await carrierUses.usedElsewhere(db, sid, requested),
    )
  }
  return { service_provider_sid: requested }
}

/** Throws when numbers or routes use the carrier, since they would lose it. */
const refuseMove = async (db: Db, sid: string) =>
  refuseInUse(
    t('To give the carrier to another account, first remove everything that uses it.'),
    await carrierUses.usedBy(db, sid),
  )
