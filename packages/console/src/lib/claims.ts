import type { TokenClaims } from '@switchroom/contract'

/**
 * Decodes the claims of a token. Without the contract's schema, which would bring the contract into the first
 * script. The server verifies the token; here it only decides what is shown.
 */
export function claimsOf(token: string): TokenClaims | undefined {
  try {
    const part = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/')
    const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0))
    // the members that matter are checked below
    const read = JSON.parse(new TextDecoder().decode(bytes)) as Partial<TokenClaims>
    if (typeof read.user_sid !== 'string') return undefined
    const scope =
      read.scope === 'admin' || read.scope === 'service_provider' ? read.scope : 'account'
    return {
      ...read,
      user_sid: read.user_sid,
      scope,
      permissions: read.permissions ?? [],
      is_view_only: read.is_view_only === true,
      force_change: read.force_change === true,
    }
  } catch {
    return undefined
  }
}
