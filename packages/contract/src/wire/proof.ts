import { z } from 'zod'

/** Bytes as WebAuthn's JSON has them. */
export const Base64Url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(32_768)

export const Credential = {
  id: Base64Url.max(1_400),
  rawId: Base64Url.max(1_400),
  type: z.literal('public-key'),
}

/** A signed challenge, as `PublicKeyCredential.toJSON()` has it. */
export const Assertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.max(128).optional(),
  }),
})
export type Assertion = z.infer<typeof Assertion>

/**
 * Proves that it is the user who asks, not somebody at an unlocked screen or with a stolen token: the password, a code
 * from the authenticator app, or a passkey.
 */
export const Proof = z.object({
  password: z.string().max(1024).optional(),
  code: z.string().max(16).optional(),
  passkey: Assertion.optional(),
})
export type Proof = z.infer<typeof Proof>
