import {
  LOG_IN_EXPIRED,
  type Reply,
  SECOND_FACTOR_NEEDED,
  type session,
  type TokenClaims,
} from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import {
  ADMINISTRATORS,
  hasSecondFactor,
  isSecondFactorRequired,
} from '../../http/second-factor.ts'
import { beginSession, endSession } from '../../http/sessions.ts'
import { refuseLocalLogIn } from '../../http/single-sign-on.ts'
import * as preferences from '../../users/preferences/queries.ts'
import { claimsOf, roleOf, type UserRow } from '../../users/token-claims.ts'
import * as providerSessions from '../single-sign-on/provider-sessions.ts'
import { requireTotp } from './check.ts'
import * as factors from './queries.ts'
import { newTicket, type Ticket } from './tickets.ts'

/**
 * True if this user must have a second factor, by the policy of the provider or, for administrators, of the platform.
 */
export const isRequiredOf = (db: Db, user: Pick<UserRow, 'account_sid' | 'service_provider_sid'>) =>
  isSecondFactorRequired(
    db,
    roleOf(user) === 'admin' ? ADMINISTRATORS : (user.service_provider_sid ?? ADMINISTRATORS),
  )

/** The claims of a log-in, which say whether a second factor has to be set up first. */
export async function claimsFor(db: Db, user: UserRow): Promise<TokenClaims> {
  const due = (await isRequiredOf(db, user)) && !(await hasSecondFactor(db, user.user_sid))
  return { ...claimsOf(user), ...(due && { second_factor_due: true }) }
}

/**
 * The claims of a renewed session. A second factor that became required since is demanded now, except of a single
 * sign-on, whose provider may have asked for one.
 */
export async function renewedClaims(db: Db, user: UserRow, scope: Scope): Promise<TokenClaims> {
  const session = await db
    .selectFrom('switchroom_sessions')
    .select('method')
    .where('session_sid', '=', scope.session_sid ?? '')
    .executeTakeFirst()
  if (session?.method !== 'single_sign_on') return claimsFor(db, user)
  return { ...claimsOf(user), ...(scope.second_factor_due && { second_factor_due: true }) }
}

/** Only a new password may be set with the session of a reset link. */
const withForcedChange = (claims: TokenClaims, { method }: Pick<Ticket, 'method'>): TokenClaims =>
  method === 'reset_link' ? { ...claims, force_change: true } : claims

type FirstStep = {
  method: Ticket['method']
  meta: RequestMeta
  /** A code of the authenticator app that came with the password. */
  code?: string | undefined
  /** True if the single sign-on provider says that it asked for a second factor. */
  provedElsewhere?: boolean
  /** Sid of the session to begin, if a session of an identity provider is kept for it. */
  session_sid?: string | undefined
}

/**
 * Begins the session of a user who has proved the first factor. Every way to log in ends here. Throws
 * `second_factor_required`, with a ticket for the second step, when the user has a second factor. A single
 * sign-on is its provider's business, unless a second factor is required here and was not asked for there.
 */
export async function logInUser(
  ctx: Context,
  user: UserRow,
  { method, meta, code, provedElsewhere = false, session_sid }: FirstStep,
) {
  const { db } = ctx
  if (method !== 'single_sign_on') await refuseLocalLogIn(ctx, user)
  const trusted =
    method === 'single_sign_on' && (provedElsewhere || !(await isRequiredOf(db, user)))
  if (!trusted) await secondStep(ctx, user, { method, meta, code, session_sid })
  const claims = withForcedChange(trusted ? claimsOf(user) : await claimsFor(db, user), { method })
  return { claims, token: await begin(ctx, claims, { method, meta, session_sid }) }
}

async function begin(
  ctx: Context,
  claims: TokenClaims,
  { method, meta, session_sid }: Pick<FirstStep, 'method' | 'meta' | 'session_sid'>,
) {
  const token = await beginSession(ctx, claims, {
    method,
    meta,
    ...(session_sid && { session_sid }),
  })
  // the identity provider may have ended its session before ours began
  if (session_sid && !(await providerSessions.isKept(ctx.db, session_sid))) {
    await endSession(ctx, claims.user_sid, session_sid)
    throw new Failure('forbidden', LOG_IN_EXPIRED)
  }
  return token
}

async function secondStep(
  ctx: Context,
  user: UserRow,
  { method, meta, code, session_sid }: FirstStep,
) {
  const { user_sid } = user
  const methods = await factors.methodsOf(ctx.db, user_sid)
  if (methods.length === 0) return
  if (code !== undefined) return requireTotp({ ctx, meta }, user_sid, code)
  const ticket = await newTicket(ctx, { user_sid, method, session_sid })
  throw new Failure('second_factor_required', SECOND_FACTOR_NEEDED, {
    second_factor: { ticket, methods },
  })
}

/** Begins the session of a user whose second step is done. */
export async function logInAfterSecondStep(
  ctx: Context,
  { user, method, session_sid }: Ticket & { user: UserRow },
  meta: RequestMeta,
) {
  const claims = withForcedChange(await claimsFor(ctx.db, user), { method })
  return { claims, token: await begin(ctx, claims, { method, meta, session_sid }) }
}

/** Preferences and brand that a user's first screen needs. */
export async function personalOf({ db }: Pick<Context, 'db'>, claims: TokenClaims) {
  // late, as few servers have brands
  const brands = await import('../../tenants/brands/queries.ts')
  const { user_sid, scope: role, service_provider_sid } = claims
  return {
    preferences: await preferences.find(db, { user_sid }),
    brand: await brands.ownOf(db, { role, service_provider_sid }),
  }
}

/** The answer to a log-in by username, as the platform's clients expect it. */
export const signedIn = async (
  ctx: Pick<Context, 'db'>,
  claims: TokenClaims,
  token: string,
): Promise<Reply<typeof session.login>> => ({
  token,
  user_sid: claims.user_sid,
  scope: claims.scope,
  force_change: claims.force_change,
  permissions: claims.permissions,
  ...(claims.second_factor_due && { second_factor_due: true }),
  service_provider_sid: claims.service_provider_sid ?? undefined,
  service_provider_name: claims.service_provider_name ?? undefined,
  account_sid: claims.account_sid ?? undefined,
  account_name: claims.account_name ?? undefined,
  ...(await personalOf(ctx, claims)),
})
