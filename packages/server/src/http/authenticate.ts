import {
  ACCOUNT_DEACTIVATED,
  managesUsers,
  type TokenClaims,
  t,
  USER_DEACTIVATED,
} from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import * as apiKeys from './api-key.ts'
import type { Context } from './context.ts'
import { wantedUse } from './current-request.ts'
import { Failure } from './failure.ts'
import { isFrom } from './key-limits.ts'
import type { KnownSession } from './known-callers.ts'
import { storeLastSeen } from './last-seen.ts'
import { findSession, touchSession } from './open-session.ts'
import { findProgramToken, isProgramToken } from './program-token.ts'
import type { Scope } from './scope.ts'
import { hasSecondFactor } from './second-factor.ts'

const unauthorized = (message = t('Unauthorized')) => new Failure('unauthenticated', message)

/** The token of an Authorization header, if that is all it has. */
export function bearerToken(header: string | undefined) {
  const [scheme, token, ...rest] = header?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined
}

/**
 * Resolves the caller's scope from a bearer token: a signed session token that has not ended, or an API
 * key. Throws 401 for anything else, and 503 when the session store is unavailable: it fails closed.
 */
export async function authenticate(
  ctx: Context,
  header: string | undefined,
  ip: string,
): Promise<Scope> {
  const token = bearerToken(header)
  if (!token) throw unauthorized()
  const claims = await ctx.tokens.verify(token)
  if (claims === 'expired') throw unauthorized()
  if (claims === 'unknown')
    return isProgramToken(token) ? ofProgram(ctx, token, ip) : ofApiKey(ctx, token, ip)
  return ofSession(ctx, claims, token, ip)
}

type Claims = Partial<TokenClaims> & { user_sid: string }

async function ofSession(
  ctx: Context,
  { user_sid, ...rest }: Partial<TokenClaims>,
  token: string,
  ip: string,
) {
  if (!user_sid) throw unauthorized()
  const claims = { ...rest, user_sid }
  const session = await ctx.memory.callers.sessions.get(token, async () => {
    const found = await readSession(ctx, claims, token, ip).catch(unchecked)
    if (!found) throw unauthorized()
    scopeOfSession(ctx, claims, found)
    return found
  })
  const scope = scopeOfSession(ctx, claims, session)
  await touchSession(ctx, session, ip).catch(unchecked)
  return scope
}

/** The person that a program acts for, with as much of the rights as it was given, while both may. */
async function ofProgram(ctx: Context, token: string, ip: string): Promise<Scope> {
  const known = await ctx.memory.callers.programs.get(token, async () => {
    const found = await findProgramToken(ctx, token, ip).catch(unchecked)
    if (!found) throw unauthorized()
    scopeOfSession(ctx, found.claims, found.session)
    return found
  })
  const { claims, session, program, access, use, expires_at } = known
  // a token for something else, perhaps presented by its receiver
  if (expires_at <= ctx.tokens.now() || use !== wantedUse()) throw unauthorized()
  const scope = scopeOfSession(ctx, claims, session)
  await touchSession(ctx, session, ip).catch(unchecked)
  return { ...scope, program, view_only: scope.view_only || access === 'read' }
}

const unchecked = (cause: unknown) => {
  throw new Failure('unavailable', t('Sessions cannot be checked right now. Try again.'), {
    cause,
    retry_after: 5,
  })
}

async function readSession(
  ctx: Context,
  claims: Claims,
  token: string,
  ip: string,
): Promise<KnownSession | undefined> {
  const found = await findSession(ctx, claims, token, ip)
  if (!found) return undefined
  // a stock server has asked for no second factor
  const asks = !claims.jti || claims.second_factor_due
  const hasFactor = asks ? await hasSecondFactor(ctx.db, claims.user_sid) : false
  return { ...found, hasFactor }
}

function scopeOfSession(ctx: Context, claims: Claims, found: KnownSession): Scope {
  const { scope: role, user_sid, name } = claims
  if (!found.user_is_active) throw unauthorized(USER_DEACTIVATED)
  const { account_sid, session_sid, force_change, hasFactor } = found
  if (!claims.jti && hasFactor) throw unauthorized()
  const deactivated = account_sid !== null && !found.account_is_active
  if (deactivated && !mayPay(ctx)) throw unauthorized(ACCOUNT_DEACTIVATED)
  if (!found.isOpen) throw unauthorized()
  const caller = {
    user_sid,
    session_sid,
    ...(name && { name }),
    view_only: claims.is_view_only ?? false,
    force_change,
    ...(claims.second_factor_due && !hasFactor && { second_factor_due: true as const }),
    ...(deactivated && { unpaid: true as const }),
    ...(role === 'account' &&
      !managesUsers(claims.permissions ?? []) && { manages_itself_only: true as const }),
  }
  const service_provider_sid = found.account_provider_sid ?? found.service_provider_sid
  // a token signed before the user was moved has the rights of then
  if ((claims.account_sid ?? null) !== account_sid) throw unauthorized()
  if (claims.service_provider_sid && claims.service_provider_sid !== service_provider_sid)
    throw unauthorized()
  if (role === 'admin' && !account_sid && !service_provider_sid) return { ...caller, role }
  if (role === 'service_provider' && !account_sid && service_provider_sid)
    return { ...caller, role, service_provider_sid }
  if (role === 'account' && account_sid && service_provider_sid)
    return { ...caller, role, service_provider_sid, account_sid }
  throw unauthorized()
}

/** Throws 403 unless this user, and the user's account, may log in. Call it once the user is proved. */
export async function refuseDeactivated(
  ctx: Pick<Context, 'db' | 'config'>,
  user: { is_active: number; account_sid: string | null },
) {
  if (!user.is_active) throw new Failure('forbidden', USER_DEACTIVATED)
  if (!user.account_sid || mayPay(ctx)) return
  const account = await accountStatus(ctx.db, user.account_sid)
  if (!account?.is_active) throw new Failure('forbidden', ACCOUNT_DEACTIVATED)
}

/** In the hosted variant, people of a deactivated account may still log in, to pay. */
const mayPay = ({ config }: Pick<Context, 'config'>) => config.page.ENABLE_HOSTED_SYSTEM

const accountStatus = (db: Db, account_sid: string) =>
  db
    .selectFrom('accounts')
    .select('is_active')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()

async function ofApiKey(ctx: Context, token: string, ip: string) {
  const key = await ctx.memory.callers.keys.get(token, async () => {
    const found = await apiKeys.findByToken(ctx.db, token)
    if (!found) throw unauthorized()
    scopeOfKey(found, ip)
    return found
  })
  const scope = scopeOfKey(key, ip)
  if (apiKeys.isDue(key))
    await storeLastSeen(ctx, key.api_key_sid, () => apiKeys.touch(ctx.db, key, ip))
  return scope
}

function scopeOfKey(key: apiKeys.StoredKey, ip: string): Scope {
  if (apiKeys.isExpired(key)) throw unauthorized()
  const { api_key_sid, name, view_only, limits: key_limits } = key
  if (!isFrom(key_limits.networks, ip))
    throw new Failure('forbidden', t('This API key may not be used from your address'))
  const caller = {
    api_key_sid,
    key_limits,
    ...(name && { name }),
    view_only,
    force_change: false,
  }
  const { account_sid } = key
  if (account_sid) {
    // a key with both an account and a provider gets account scope only
    const service_provider_sid = key.account_provider_sid
    if (!service_provider_sid) throw unauthorized()
    if (!key.account_is_active) throw new Failure('forbidden', ACCOUNT_DEACTIVATED)
    return { ...caller, role: 'account', service_provider_sid, account_sid }
  }
  if (key.service_provider_sid)
    return { ...caller, role: 'service_provider', service_provider_sid: key.service_provider_sid }
  return { ...caller, role: 'admin' }
}
