import { z } from 'zod'
import { ShownBrand } from '../tenants/brands.ts'
import { Preferences } from '../users/preferences.ts'
import { ROLES } from '../wire/claims.ts'
import { FlagIn, NoContent } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

const Password = z.string().min(1).max(1024)

/** Switchroom only: what the first screen is shown with, so that it needs no further request. */
export const firstScreen = {
  preferences: Preferences.optional(),
  /** Brand of the user's provider; null for the product's own. */
  brand: ShownBrand.nullable().optional(),
}

export const SignedIn = z.object({
  token: z.string(),
  user_sid: z.string(),
  scope: z.enum(ROLES),
  force_change: z.boolean(),
  permissions: z.array(z.string()),
  /** Present if the user must set up a second factor before anything else. */
  second_factor_due: z.boolean().optional(),
  service_provider_sid: z.string().optional(),
  service_provider_name: z.string().optional(),
  account_sid: z.string().optional(),
  account_name: z.string().optional(),
  ...firstScreen,
})

/** The platform's response. After exchanging a reset link it has only the token and the user's sid. */
export const SignedInByEmail = z.object({
  jwt: z.string(),
  user_sid: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().nullish(),
  account_sid: z.string().nullish(),
  service_provider_sid: z.string().nullish(),
  force_change: z.boolean().optional(),
  provider: z.string().optional(),
  provider_userid: z.string().nullish(),
  /** A legacy value of the platform. The token's scope defines what the user may do. */
  scope: z.string().optional(),
  phone_validated: z.boolean().optional(),
  email_validated: z.boolean().optional(),
  /** True if the account is active. */
  is_active: z.boolean().optional(),
  pristine: z.boolean().optional(),
  ...firstScreen,
})

/** Without `everywhere` the user's other sessions go on. */
export const LogOut = z.object({ everywhere: FlagIn.optional() })

export const LOGIN_FAILED = t('Login credentials are incorrect')
export const SIGNED_OUT = t("You've successfully logged out.")
export const SESSION_EXPIRED = t('Your session has expired. Please log in and try again.')
export const MUST_SIGN_IN = t('You must log in to view that page')
export const RESET_MAIL_SENT = t(
  'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.',
)

export const session = endpoints({
  login: {
    method: 'POST',
    path: '/login',
    access: 'public',
    summary: 'Log in by username',
    body: z.object({
      username: z.string().min(1).max(255),
      password: Password,
    }),
    errorMember: 'error',
    response: SignedIn,
  },
  logout: {
    method: 'POST',
    path: '/logout',
    access: 'account',
    summary: 'Log out of this session, or everywhere',
    query: LogOut,
    personOnly: true,
    allowViewOnly: true,
    whileUnpaid: true,
    beforePasswordChange: true,
    beforeSecondFactor: true,
    status: 204,
    response: NoContent,
  },
  renew: {
    method: 'POST',
    path: '/Session/renew',
    access: 'account',
    summary: 'Renew the token of an active user',
    own: true,
    personOnly: true,
    allowViewOnly: true,
    whileUnpaid: true,
    response: z.object({ token: z.string() }),
  },
  forgotPassword: {
    method: 'POST',
    path: '/forgot-password',
    access: 'public',
    summary: 'Email a password reset link',
    body: z.object({ email: z.email(t('invalid or missing email')).max(255) }),
    errorMember: 'error',
    status: 204,
    response: NoContent,
  },
  signIn: {
    method: 'POST',
    path: '/signin',
    access: 'public',
    summary:
      'Exchange the ID of a reset link for a token that can only change the password; in the hosted variant also log in by email',
    body: z.object({
      link: z.string().min(1).max(64).optional(),
      email: z.string().trim().max(255).optional(),
      password: z.string().max(1024).optional(),
    }),
    errorMember: 'error',
    response: SignedInByEmail,
  },
  changePassword: {
    method: 'POST',
    path: '/change-password',
    access: 'account',
    summary: 'Set a new password with the old one or a reset link',
    personOnly: true,
    allowViewOnly: true,
    whileUnpaid: true,
    beforePasswordChange: true,
    body: z.object({ old_password: Password, new_password: Password }),
    refusals: {
      old_password: t('missing old_password or new_password'),
      new_password: t('missing old_password or new_password'),
    },
    status: 204,
    response: NoContent,
  },
})
