import type { AccessRule } from '@switchroom/contract'

export type Claims = Record<string, unknown>

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A claim by its name, which may contain dots and slashes, or else by its path. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let at: unknown = claims
  for (const part of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, part)) return undefined
    at = at[part]
  }
  return at
}

const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const isValue = (value: unknown, wanted: string) => isText(value) && String(value) === wanted

/** True if a rule applies. Compares exactly, including case. */
export function matches(rule: AccessRule, claims: Claims): boolean {
  const claim = claimAt(claims, rule.claim)
  switch (rule.operator) {
    case 'exists':
      return claim !== undefined && claim !== null && claim !== ''
    case 'equals':
      return isValue(claim, rule.value)
    case 'contains':
      return Array.isArray(claim)
        ? claim.some((member) => isValue(member, rule.value))
        : isValue(claim, rule.value)
  }
}

/** Claims without an address that the issuer has not verified, which its user may have made up. */
export function withVerifiedEmail({ email, ...claims }: Claims): Claims {
  const { email_verified: verified } = claims
  return verified === true || verified === 'true' ? { ...claims, email } : claims
}
