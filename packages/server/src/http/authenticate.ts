import type { TokenClaims } from '@switchroom/contract'
import * as apiKeys from '../api-keys/queries.ts'
import type { Context } from '../context.ts'
import { standing } from '../session/sessions.ts'
import { Failure } from './failure.ts'
import type { Scope } from './scope.ts'

const unauthorized = () => new Failure('unauthenticated', 'Unauthorized')

/**
 * Who calls: a signed token of a session that still stands, or an API key. Throws 401 for anybody else,
 * and 503 when the store of sessions cannot be asked: never yes.
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
  const stands = await standing(ctx, claims).catch((cause) => {
    throw new Failure('unavailable', 'Sessions cannot be checked at the moment', {
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
    // a session that has just chosen its new password is kept, and free
    force_change: stands === 'kept' ? false : (claims.force_change ?? false),
  }
  const service_provider_sid =
    claims.service_provider_sid ??
    (account_sid && (await apiKeys.providerOf(ctx.db, account_sid))) ??
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
    // a key of an account that also names a provider is an account's, never more
    const service_provider_sid = await apiKeys.providerOf(ctx.db, key.account_sid)
    if (!service_provider_sid) throw unauthorized()
    return { ...caller, role: 'account', service_provider_sid, account_sid: key.account_sid }
  }
  if (key.service_provider_sid)
    return { ...caller, role: 'service_provider', service_provider_sid: key.service_provider_sid }
  return { ...caller, role: 'admin' }
}
