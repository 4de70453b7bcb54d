import { NO_EMAIL } from '@switchroom/contract'
import { z } from 'zod'
import { Failure } from '../../http/failure.ts'
import { type Claims, claimAt } from '../../users/provisioning/rules.ts'

const Email = z.email().max(255)
const text = (value: unknown) =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined

export type Person = { name: string; email: string; email_validated: 0 | 1 }

/** The username and address that claims give. Throws 403 without an address, which every user has. */
export function personOf(claims: Claims): Person {
  const username = text(claims.preferred_username) ?? text(claims.upn)
  const address = [claims.email, username].map((v) => Email.safeParse(v)).find((r) => r.success)
  if (!address) throw new Failure('forbidden', NO_EMAIL)
  const email = address.data.toLowerCase()
  const verified = claims.email_verified === true && text(claims.email)?.toLowerCase() === email
  return {
    name: (username ?? email).slice(0, 255),
    email,
    email_validated: verified ? 1 : 0,
  }
}

/** The `externalId` that a directory knows this person by. */
export const externalIdOf = (claims: Claims, claim: string) => {
  const value = claimAt(claims, claim)
  return typeof value === 'string' && value !== '' && value.length <= 255 ? value : null
}
