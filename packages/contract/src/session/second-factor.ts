import { z } from 'zod'
import { NoContent, ofServiceProvider, Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { Assertion, Proof } from '../wire/proof.ts'
import { t } from '../wire/text.ts'
import { ownFactor, RecoveryCodes } from './passkeys.ts'
import { SignedIn } from './session.ts'

export const TOTP_DIGITS = 6
export const RECOVERY_CODES = 10

/** The error for clients that send only a password. Our console shows the second step instead. */
export const SECOND_FACTOR_NEEDED = t(
  'A second factor is required. Add a code from your authenticator app to your password, after a comma: password,123456',
)
export const CODE_WRONG = t('This code is not valid. Codes work once: wait for the next one.')
export const RECOVERY_CODE_WRONG = t('This recovery code is not valid. Each works once.')
export const PASSKEY_REFUSED = t('This passkey was not accepted.')
export const LOG_IN_EXPIRED = t('This log-in has expired. Log in again.')
export const LAST_REQUIRED_FACTOR = t('A second factor is required. Add another one first.')

export const Passkey = z.object({
  passkey_sid: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: StringOrNull,
})
export type Passkey = z.infer<typeof Passkey>

/** One's own factors. */
export const OwnSecondFactor = z.object({
  /** Time at which the authenticator app was added. */
  totp_created_at: StringOrNull,
  passkeys: z.array(Passkey),
  recovery_codes_left: Integer,
  /** True if the service provider, or the platform for administrators, requires a second factor. */
  is_required: z.boolean(),
  /** True if the user has a password here. Other users prove their identity by logging in again. */
  has_password: z.boolean(),
})
export type OwnSecondFactor = z.infer<typeof OwnSecondFactor>

/** A user's second factor, as shown to those who manage the user. */
export const UserSecondFactor = z.object({
  has_totp: z.boolean(),
  passkeys: Integer,
  recovery_codes_left: Integer,
  is_required: z.boolean(),
})

export const SecondFactorPolicy = z.object({ is_required: z.boolean() })
export type SecondFactorPolicy = z.infer<typeof SecondFactorPolicy>

const ofProvider = { ...ofServiceProvider('/SecondFactorPolicy'), own: true } as const
const ofAdministrators = { path: '/SecondFactorPolicy', access: 'admin', own: true } as const
const ofUser = {
  path: '/Users/:user_sid/SecondFactor',
  params: z.object({ user_sid: Sid }),
  access: 'account',
  own: true,
} as const

export const secondFactor = endpoints({
  view: {
    ...ownFactor,
    method: 'GET',
    path: '/Users/me/SecondFactor',
    summary: 'Get your own second factors',
    response: OwnSecondFactor,
  },
  beginTotp: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/SecondFactor/Totp/Secret',
    summary: 'Begin to add an authenticator app: get a new secret',
    body: Proof,
    response: z.object({ secret: z.string(), otpauth_uri: z.string() }),
  },
  addTotp: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/SecondFactor/Totp',
    summary: 'Add the authenticator app, with its first code',
    body: z.object({ code: z.string().max(16) }),
    response: z.object({
      /** Recovery codes, with the first factor only. They are never shown again. */
      recovery_codes: RecoveryCodes.optional(),
    }),
  },
  removeTotp: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/SecondFactor/Totp/Removal',
    summary: 'Remove the authenticator app',
    body: Proof,
    status: 204,
    response: NoContent,
  },
  newRecoveryCodes: {
    ...ownFactor,
    method: 'POST',
    path: '/Users/me/SecondFactor/RecoveryCodes',
    summary: 'Replace your recovery codes',
    body: Proof,
    response: z.object({ recovery_codes: RecoveryCodes }),
  },
  logIn: {
    method: 'POST',
    path: '/login/second-factor',
    access: 'public',
    own: true,
    summary: 'Complete a log-in with a second factor',
    body: z.object({
      /** Ticket from the error `second_factor_required`. */
      ticket: z.string().max(64),
      code: z.string().max(16).optional(),
      recovery_code: z.string().max(32).optional(),
      passkey: Assertion.optional(),
    }),
    errorMember: 'error',
    response: SignedIn,
  },
  ofUser: {
    ...ofUser,
    method: 'GET',
    summary: 'Get the second factors of a user',
    response: UserSecondFactor,
  },
  reset: {
    ...ofUser,
    ...removes,
    summary:
      'Remove all second factors of a user, who is notified by email and logged out; needs your own proof',
    grantsAccess: true,
    personOnly: true,
    body: Proof,
  },
  policy: {
    ...ofProvider,
    method: 'GET',
    summary: 'Get whether a service provider requires a second factor of its users',
    response: SecondFactorPolicy,
  },
  savePolicy: {
    ...ofProvider,
    method: 'PUT',
    summary: 'Set whether a service provider requires a second factor of its users',
    grantsAccess: true,
    body: SecondFactorPolicy,
    status: 204,
    response: NoContent,
  },
  administratorPolicy: {
    ...ofAdministrators,
    method: 'GET',
    summary: 'Get whether administrators must have a second factor',
    response: SecondFactorPolicy,
  },
  saveAdministratorPolicy: {
    ...ofAdministrators,
    method: 'PUT',
    summary: 'Set whether administrators must have a second factor',
    grantsAccess: true,
    body: SecondFactorPolicy,
    status: 204,
    response: NoContent,
  },
})
