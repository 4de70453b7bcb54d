import type { TokenClaims } from '@switchroom/contract'

/**
 * What the token says of its bearer. Read by hand and not by the contract's schema, which would bring
 * the whole of it into the first script; the server checks the token, here it only chooses what to show.
 */
export function claimsOf(token: string): TokenClaims | undefined {
  try {
    const part = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/')
    const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0))
    // what is read of it is checked below; the server wrote the rest
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
