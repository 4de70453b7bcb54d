import type { TokenClaims } from '@switchroom/contract'
import * as apiKeys from './api-key.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'
import type { Scope } from './scope.ts'
import { sessionStatus } from './sessions.ts'
import { providerOf } from './tenancy.ts'

const unauthorized = () => new Failure('unauthenticated', 'Unauthorized')

/**
 * Resolves the caller's scope from a bearer token: a signed session token that has not ended, or an API
 * key. Throws 401 for anything else, and 503 when the session store is unavailable: it fails closed.
 */
export async function authenticate(ctx: Context, header: string | undefined): Promise<Scope> {
  const [scheme, token, ...rest] = header?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw unauthorized()
  const claims = token.split('.').length === 3 ? await ctx.tokens.verify(token) : 'unknown'
  if (claims === 'expired') throw unauthorized()
  if (claims === 'unknown') return ofApiKey(ctx, token)
  return ofSession(ctx, claims)
}

async function ofSession(ctx: Context, claims: Partial<TokenClaims>): Promise<Scope> {
  const { scope: role, user_sid, account_sid, jti, name } = claims
  if (!user_sid) throw unauthorized()
  const stands = await sessionStatus(ctx, claims).catch((cause) => {
    throw new Failure('unavailable', 'Sessions cannot be checked right now. Try again.', {
      cause,
      retry_after: 5,
    })
  })
  if (stands === 'ended') throw unauthorized()
  const caller = {
    user_sid,
    ...(jti && { jti }),
    ...(name && { name }),
    view_only: claims.is_view_only ?? false,
    // a session that has just set its new password goes on, without the forced change
    force_change: stands === 'kept' ? false : (claims.force_change ?? false),
  }
  const service_provider_sid =
    claims.service_provider_sid ??
    (account_sid && (await providerOf(ctx.db, account_sid))) ??
    undefined
  if (role === 'admin' && !account_sid && !service_provider_sid) return { ...caller, role }
  if (role === 'service_provider' && service_provider_sid)
    return { ...caller, role, service_provider_sid }
  if (role === 'account' && account_sid && service_provider_sid)
    return { ...caller, role, service_provider_sid, account_sid }
  throw unauthorized()
}

async function ofApiKey(ctx: Context, token: string): Promise<Scope> {
  const key = await apiKeys.findByToken(ctx.db, token)
  if (!key) throw unauthorized()
  await apiKeys.touch(ctx.db, key)
  const { api_key_sid } = key
  const caller = { api_key_sid, view_only: false, force_change: false }
  if (key.account_sid) {
    // a key with both an account and a provider gets account scope only
    const service_provider_sid = await providerOf(ctx.db, key.account_sid)
    if (!service_provider_sid) throw unauthorized()
    return { ...caller, role: 'account', service_provider_sid, account_sid: key.account_sid }
  }
  if (key.service_provider_sid)
    return { ...caller, role: 'service_provider', service_provider_sid: key.service_provider_sid }
  return { ...caller, role: 'admin' }
}
