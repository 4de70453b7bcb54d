import { z } from 'zod'
import { Application } from '../applications/applications.ts'
import { Int, NoContent, Sid, serviceProviderParams } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer } from '../wire/fields.ts'
import { enter } from '../wire/plain-messages.ts'
import type { Refusal } from '../wire/refusals.ts'
import { t } from '../wire/text.ts'
import { firstScreen } from './session.ts'

/** Identity providers of users. */
export const OAUTH_PROVIDERS = ['google', 'github'] as const
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number]
export const OAUTH_PROVIDER_NAMES: Record<OAuthProvider, string> = {
  google: t('Google'),
  github: 'GitHub',
}

export const INVALID_STATE = t('Invalid state')
export const notAnOAuthProvider = (provider: string) =>
  t('{provider} is not a valid OAuth provider', { provider })
export const INVITE_CODE_INVALID = t('This invite code is invalid or has been used.')
/** Refuses clients that bring their own OAuth code, which the platform accepts. */
export const CLIENT_CODE_REJECTED = t(
  'Activation codes are created by this server and sent by email. Use POST /ActivationCode to send one.',
)
export const PHONE_NOT_SUPPORTED = t('This server sends activation codes by email only.')
/** Shown when the server is not configured for registration. The log has the details. */
export const REGISTRATION_NOT_SET_UP = t(
  'Registration is not set up on this service yet. Please contact support.',
)
export const ACTIVATION_CODE_INVALID = t('invalid user or activation code')
export const CODE_RATE_LIMITED = t('Please wait a moment before requesting another code.')
export const REGISTRATION_CODE_DIGITS = 6
/** The shortest subdomain whose availability is checked. */
export const SUBDOMAIN_MIN = 3

/** Page where an OAuth sign-in started, in the platform's spelling. */
export const LOCATIONS_BEFORE_AUTH = ['/register', '/sign-in'] as const
export type LocationBeforeAuth = (typeof LOCATIONS_BEFORE_AUTH)[number]

const named = (input: unknown) => String(input).slice(0, 40)
const Provider = z.enum(OAUTH_PROVIDERS, {
  error: ({ input }) =>
    input === undefined ? t('missing provider') : notAnOAuthProvider(named(input)),
})

const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** One label of a domain name, which becomes a realm below the root domain. */
export const isSubdomain = (text: string) => text.length >= SUBDOMAIN_MIN && SUBDOMAIN.test(text)

/** Email address in lower case, as addresses are compared. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .pipe(z.email(t('invalid email')))

const InviteCode = z.string().trim().toUpperCase().max(16, INVITE_CODE_INVALID)

/** A field that this registration method needs and that is missing. */
function missingFor(provider: 'local' | OAuthProvider, member: string): Refusal {
  const path = [member]
  if (provider === 'local')
    return { path, message: enter(path), params: { msg: t('missing email or password') } }
  return {
    path,
    message: t('The response from {provider} is incomplete. Try again.', {
      provider: OAUTH_PROVIDER_NAMES[provider],
    }),
    params: { msg: t('missing {member} for provider {provider}', { member, provider }) },
  }
}

/** Platform clients also send an OAuth code, client id and redirect address, which are ignored. */
export const Registration = z
  .object({
    provider: z.enum(['local', ...OAUTH_PROVIDERS], {
      error: ({ input }) =>
        input === undefined ? t('missing provider') : notAnOAuthProvider(named(input)),
    }),
    service_provider_sid: Sid.optional(),
    email: Email.optional(),
    password: z.string().max(1024).optional(),
    oauth2_code: z.string().max(4096).optional(),
    oauth2_state: z.string().max(512).optional(),
    /** Required where registration needs an invitation. Creating the account uses it up. */
    inviteCode: InviteCode.optional(),
    /** Switchroom only: the `iss` parameter of the redirect, if the OAuth provider sends one (RFC 9207). */
    oauth2_iss: z.string().max(512).optional(),
    /** Page where the sign-in started. This server ignores it, since it knows. */
    locationBeforeAuth: z.string().max(64).optional(),
  })
  .superRefine((body, check) => {
    const needed =
      body.provider === 'local'
        ? (['email', 'password'] as const)
        : (['oauth2_code', 'oauth2_state'] as const)
    for (const member of needed)
      if (!body[member]) check.addIssue({ code: 'custom', ...missingFor(body.provider, member) })
  })

export const Registered = z.object({
  /** Valid once the email address is confirmed: at once with OAuth, otherwise after the code. */
  jwt: z.string(),
  user_sid: z.string(),
  account_sid: z.string(),
  name: z.string(),
  email: z.string(),
  provider: z.string(),
  provider_userid: z.string().optional(),
  /** The domain below which accounts choose a subdomain. */
  root_domain: z.string().nullish(),
  /** True if the account is new. */
  pristine: z.boolean(),
  /** True if the account is active. */
  is_active: z.boolean(),
  email_validated: z.boolean(),
  phone_validated: z.boolean(),
  tutorial_completion: z.number(),
  scope: z.string(),
  ...firstScreen,
})
export type Registered = z.infer<typeof Registered>

const CodeType = z.enum(['email', 'phone'], {
  error: ({ input }) => t('invalid activation type: {named}', { named: named(input) }),
})
const code = { type: CodeType, user_sid: Sid } as const

export const AVAILABILITY_TYPES = ['email', 'phone', 'subdomain'] as const

export const registration = endpoints({
  authorize: {
    callsOutside: true,
    method: 'POST',
    path: '/Authorizations',
    access: 'public',
    summary: 'Start logging in or registering with Google or GitHub; returns the URL to open',
    own: true,
    hosted: true,
    browserCookie: 'set',
    body: z.object({
      provider: Provider,
      locationBeforeAuth: z.enum(LOCATIONS_BEFORE_AUTH).default('/sign-in'),
    }),
    response: z.object({ url: z.string() }),
  },
  register: {
    callsOutside: true,
    method: 'POST',
    path: '/register',
    access: 'public',
    summary:
      'Register by email, register or log in with Google or GitHub, or add a login method to the logged-in user',
    hosted: true,
    optionalLogin: true,
    browserCookie: 'read',
    body: Registration,
    response: Registered,
  },
  sendCode: {
    method: 'POST',
    path: '/ActivationCode',
    access: 'public',
    summary: 'Email another activation code, or a code for the logged-in user’s new address',
    hosted: true,
    optionalLogin: true,
    body: z.object({
      ...code,
      /** The new address. */
      value: z.string().max(255).optional(),
    }),
    status: 204,
    response: NoContent,
  },
  checkCode: {
    method: 'PUT',
    path: '/ActivationCode/:code',
    access: 'public',
    summary: 'Verify an email address with the activation code',
    hosted: true,
    params: z.object({ code: z.string().trim().max(16, ACTIVATION_CODE_INVALID) }),
    body: z.object(code),
    status: 204,
    response: NoContent,
  },
  availability: {
    method: 'GET',
    path: '/Availability',
    access: 'account',
    summary: 'Check whether a SIP realm, email address or phone number is available',
    hosted: true,
    query: z.object({
      type: z.enum(AVAILABILITY_TYPES, {
        error: ({ input }) => t('invalid type: {named}', { named: named(input) }),
      }),
      /** A fully qualified realm. */
      value: z.string().trim().min(1).max(255),
    }),
    response: z.object({ available: z.boolean() }),
  },
  addInviteCodes: {
    method: 'POST',
    path: '/BetaInviteCodes',
    access: 'admin',
    summary: 'Create invite codes',
    hosted: true,
    body: z.object({ count: Int(1, 1_000).default(1) }),
    response: z.object({
      status: z.literal('ok'),
      added: Integer,
      codes: z.array(z.string()),
    }),
  },
  useInviteCode: {
    method: 'POST',
    path: '/InviteCodes',
    access: 'public',
    summary: 'Redeem or check an invite code',
    hosted: true,
    body: z.object({
      code: InviteCode.min(1),
      /** Any truthy value. */
      test: z.unknown().optional(),
    }),
    status: 204,
    response: NoContent,
  },
  accountTest: {
    method: 'GET',
    path: '/AccountTest/:service_provider_sid',
    access: 'public',
    summary: 'List a service provider’s demo numbers and applications',
    hosted: true,
    params: serviceProviderParams,
    response: z.object({
      phonenumbers: z.array(z.string()),
      /** Without environment variables and passwords. */
      applications: z.array(Application),
    }),
  },
})
