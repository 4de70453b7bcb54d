import { z } from 'zod'
import { NoContent, Sid, Text } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Assertion, Base64Url, Credential, Proof } from '../wire/proof.ts'
import { t } from '../wire/text.ts'
import { SignedIn } from './session.ts'

/** A new credential, as `PublicKeyCredential.toJSON()` has it. */
export const NewCredential = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z
      .array(z.string().regex(/^[\w-]{1,32}$/))
      .max(8)
      .optional(),
  }),
})

const Descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
})

/** WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
export const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('preferred'),
  }),
})
export type CreationOptions = z.infer<typeof CreationOptions>

/** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.enum(['required', 'preferred']),
})
export type RequestOptions = z.infer<typeof RequestOptions>

export const RecoveryCodes = z.array(z.string())

/** For the user's own factors: view-only users manage theirs as well. */
export const ownFactor = {
  access: 'account',
  own: true,
  personOnly: true,
  allowViewOnly: true,
  beforeSecondFactor: true,
} as const

const Name = Text(64, t('Enter a name'))
const params = z.object({ passkey_sid: Sid })

export const passkeys = endpoints({
  beginAdd: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/Passkeys/Options',
    summary: 'Begin to add a passkey: get the options for the browser',
    body: Proof,
    response: CreationOptions,
  },
  add: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/Passkeys',
    summary: 'Add the passkey that the browser has created',
    body: z.object({ name: Name, credential: NewCredential }),
    response: z.object({
      passkey_sid: z.string(),
      /** Recovery codes, with the first factor only. They are never shown again. */
      recovery_codes: RecoveryCodes.optional(),
    }),
  },
  rename: {
    ...ownFactor,
    method: 'PUT',
    path: '/Users/me/Passkeys/:passkey_sid',
    params,
    summary: 'Rename a passkey',
    body: z.object({ name: Name }),
    status: 204,
    response: NoContent,
  },
  remove: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/Passkeys/:passkey_sid/Removal',
    params,
    summary: 'Remove a passkey',
    body: Proof,
    status: 204,
    response: NoContent,
  },
  beginProof: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/Passkeys/Challenge',
    summary: 'Get a challenge for one of your passkeys',
    response: RequestOptions,
  },
  beginSecondStep: {
    method: 'POST',
    path: '/login/second-factor/challenge',
    access: 'public',
    own: true,
    summary: 'Get a challenge for a passkey as the second step of a log-in',
    body: z.object({ ticket: z.string().max(64) }),
    response: RequestOptions,
  },
  beginLogIn: {
    method: 'POST',
    path: '/login/passkey/challenge',
    access: 'public',
    own: true,
    summary: 'Get a challenge to log in with a passkey alone',
    response: RequestOptions,
  },
  logIn: {
    method: 'POST',
    path: '/login/passkey',
    access: 'public',
    own: true,
    summary: 'Log in with a passkey that has verified its user, without a password',
    body: z.object({ passkey: Assertion }),
    errorMember: 'error',
    response: SignedIn,
  },
})
