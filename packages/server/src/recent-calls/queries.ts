import type { Call, CallSpan } from '@switchroom/contract'
import type { z } from 'zod'
import * as accounts from '../accounts/queries.ts'
import type { Context } from '../context.ts'
import { found, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import type { CallStore, Owner, Span } from '../stores/calls.ts'

/**
 * Whose records a path names, within the caller's scope. Nothing named is all that the caller sees.
 * Throws 404 for an account or provider that is not there for the caller.
 */
export async function callsOwner(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  named: Owner = {},
): Promise<Owner> {
  if (named.account_sid) found(await accounts.isVisible(db, scope, named.account_sid), 'account')
  if (named.service_provider_sid)
    found(await serviceProviders.find(db, scope, named.service_provider_sid), 'service provider')
  // an account's caller never sees more than the account, whatever is named
  const account_sid = scope.role === 'account' ? scope.account_sid : named.account_sid
  if (account_sid) return { account_sid }
  const { service_provider_sid } = scope.role === 'service_provider' ? scope : named
  return service_provider_sid ? { service_provider_sid } : {}
}

/**
 * The one way to a call, and so to its trace, capture, recording and logs: none of those knows of tenants.
 * `named`: the account or provider of the path. Throws 404 where there is no such call for the caller.
 */
export async function callOf(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  by: Parameters<CallStore['find']>[1],
  named: Owner = {},
): Promise<Call> {
  return found(await ctx.stores.calls.find(await callsOwner(ctx, scope, named), by), 'call')
}

const DAY_MS = 86_400_000
/** Beyond any record. */
const EVER = 8.64e15

/** The ends of a query are both included. Throws 400 where they are the wrong way round. */
export function spanOf({ days, start, end }: z.output<typeof CallSpan>): Span {
  const now = Date.now()
  // a record may be of a clock that is a little ahead
  if (days !== undefined) return { from: now - days * DAY_MS, to: EVER }
  if (start !== undefined && end !== undefined && end < start)
    throw invalidField('end', 'The end is before the start')
  return { from: start ?? 0, to: end === undefined ? EVER : end + 1 }
}
