import { z } from 'zod'
import { AccessGrant, AccessRule, AccessRulesIn } from '../users/access-rules.ts'
import { Flag, FlagIn, SecretOrNull, Sid, Text, versioned } from '../wire/common.ts'
import { endpoints, updates, views } from '../wire/endpoint.ts'
import { IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { LogOut, SignedIn } from './session.ts'

/** Path below the console's address where the identity provider sends the browser back. */
export const SINGLE_SIGN_ON_CALLBACK = '/single-sign-on'

/** Settings that environment variables can set. */
export const LOCKABLE = [
  'is_active',
  'is_enforced',
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'directory_claim',
  'rules',
] as const
export type Lockable = (typeof LOCKABLE)[number]

const BreakGlassUser = z.object({
  user_sid: z.string(),
  name: z.string(),
  scope: z.string(),
  is_active: Flag,
})

export const SingleSignOn = z.object({
  is_active: Flag,
  /** True if only single sign-on logs in, except for break-glass users. */
  is_enforced: Flag,
  /** Shown on the log-in button. */
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  client_secret: StringOrNull,
  scopes: z.string(),
  /** The claim that equals a user's `externalId` in SCIM. */
  directory_claim: z.string(),
  rules: z.array(AccessRule),
  /** Local users who may log in with their password while single sign-on is enforced. */
  break_glass: z.array(BreakGlassUser),
  /** Fields that an environment variable sets, with its name. */
  locked: z.partialRecord(z.enum(LOCKABLE), z.string()),
  /** Addresses to register at the identity provider. */
  redirect_uri: z.string(),
  log_out_uri: z.string(),
  backchannel_logout_uri: z.string(),
  /** Time of the first log-in with this issuer and client. ISO 8601. */
  tested_at: StringOrNull,
  /** Why single sign-on cannot be enforced, or is not although it is set; null if it can. */
  enforcement_problem: StringOrNull,
})
export type SingleSignOn = z.infer<typeof SingleSignOn>
export const SingleSignOnView = SingleSignOn.extend(versioned)

export const NOT_TESTED = t('Log in with single sign-on once before you enforce it.')
export const NO_BREAK_GLASS = t(
  'Choose an active administrator with a password as a break-glass user before you enforce single sign-on.',
)
export const localLogInOff = (name: string) =>
  t('Log in with {name}. Passwords and passkeys are off.', { name })
/** The same message for right and wrong passwords, so that it does not tell which they are. */
export const passwordRefused = (name: string) =>
  t('Log in with {name}. Passwords work for break-glass users only. If you are one, check yours.', {
    name,
  })
export const SINGLE_SIGN_ON_EXPIRED = t(
  'This log-in has expired or was started in another browser. Try again.',
)
export const emailTaken = (email: string) =>
  t(
    'Another user has the username or email {email}. Ask an administrator of this console to remove or rename that user.',
    { email },
  )
export const NO_EMAIL = t(
  'Your identity provider sent no email address. Ask an administrator to add the email scope.',
)
export const DEACTIVATED = t('Your user is deactivated. Ask an administrator of this console.')

const https = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    !!url &&
    ['https:', 'http:'].includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
}

const Issuer = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === '' || https(text), t('Enter a URL that starts with https://'))

export const SingleSignOnUpdate = z
  .object({
    is_active: FlagIn,
    is_enforced: FlagIn,
    name: Text(64),
    issuer: Issuer,
    client_id: z.string().trim().max(255),
    client_secret: SecretOrNull(1024),
    scopes: Text(500),
    directory_claim: Text(200),
    rules: AccessRulesIn,
    break_glass: z.array(Sid).max(20),
  })
  .partial()

/** The outcome of applying the rules to sample claims. */
export const RuleTest = z.object({
  claims: z.record(z.string(), z.unknown()),
  /** The position of the first matching rule, starting at 0. */
  matched: IntegerOrNull,
  user: z
    .object({
      name: z.string(),
      email: z.string(),
      service_provider_name: StringOrNull,
      account_name: StringOrNull,
      ...AccessGrant.shape,
    })
    .nullable(),
  /** Why this person would be refused. */
  problem: StringOrNull,
})
export type RuleTest = z.infer<typeof RuleTest>

const admin = { access: 'admin', own: true, selfHosted: true } as const
const open = { access: 'public', own: true, selfHosted: true } as const

export const singleSignOn = endpoints({
  view: {
    ...admin,
    ...views,
    path: '/SingleSignOn',
    summary: 'Get the single sign-on settings',
    response: SingleSignOnView,
  },
  update: {
    ...admin,
    ...updates,
    path: '/SingleSignOn',
    summary: 'Update the single sign-on settings',
    grantsAccess: true,
    body: SingleSignOnUpdate,
  },
  check: {
    ...admin,
    callsOutside: true,
    method: 'POST',
    path: '/SingleSignOn/Check',
    summary: 'Read the configuration that an issuer publishes',
    body: z.object({ issuer: Issuer.min(1, t('Enter the issuer')) }),
    response: z.object({ ok: z.boolean(), message: z.string() }),
  },
  testRules: {
    ...admin,
    method: 'POST',
    path: '/SingleSignOn/Test',
    summary: 'Apply access rules to a sample token or its claims; creates no user',
    body: z.object({
      /** An ID token, or its claims as JSON. */
      sample: z.string().trim().min(1, t('Paste a token or its claims')).max(50_000),
      /** Rules to test before they are saved; by default the saved ones. */
      rules: AccessRulesIn.optional(),
    }),
    response: RuleTest,
  },
  authorize: {
    ...open,
    callsOutside: true,
    method: 'POST',
    path: '/SingleSignOn/Authorizations',
    summary: 'Start logging in; returns the URL to open',
    browserCookie: 'set',
    response: z.object({ url: z.string() }),
  },
  logIn: {
    ...open,
    callsOutside: true,
    method: 'POST',
    path: '/SingleSignOn/Sessions',
    summary: 'Exchange the code of the redirect back for a session',
    browserCookie: 'read',
    body: z.object({
      code: z.string().max(4096).optional(),
      state: z.string().min(1).max(512),
      /** The `iss` parameter of the redirect, if the identity provider sends one (RFC 9207). */
      iss: z.string().max(512).optional(),
      /** Why the identity provider refused. */
      error: z.string().max(200).optional(),
    }),
    response: SignedIn,
  },
  logOut: {
    access: 'account',
    own: true,
    selfHosted: true,
    method: 'POST',
    path: '/SingleSignOn/LogOut',
    summary:
      'Log out of this session, or everywhere; returns the URL that also logs out at the identity provider, if there is one',
    query: LogOut,
    personOnly: true,
    allowViewOnly: true,
    beforePasswordChange: true,
    response: z.object({ url: StringOrNull }),
  },
  backchannelLogout: {
    ...open,
    callsOutside: true,
    method: 'POST',
    path: '/sso/backchannel-logout',
    summary: 'End sessions on behalf of the identity provider (OpenID Connect Back-Channel Logout)',
    body: z.object({ logout_token: z.string().min(1).max(20_000) }),
    response: z.object({}),
  },
})
