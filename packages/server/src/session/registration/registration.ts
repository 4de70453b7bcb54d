import {
  type api,
  INVITE_CODE_INVALID,
  REGISTRATION_NOT_SET_UP,
  type Received,
  t,
} from '@switchroom/contract'
import { auditedIn } from '../../audit/audited.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, invalidField } from '../../http/failure.ts'
import { networkOf } from '../../http/network.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import { endSessions } from '../../http/sessions.ts'
import { hourly } from '../../live/hourly.ts'
import * as users from '../../users/queries.ts'
import * as takenUsers from '../../users/taken.ts'
import type { UserRow } from '../../users/token-claims.ts'
import * as userWrites from '../../users/writes.ts'
import { addAccount, addUser, type Person, scopeOf } from './account.ts'
import * as registrations from './queries.ts'

/** Shared by all ways to register. */

export type Body = Received<typeof api.registration.register>['body']
/** `scope` is undefined for a visitor who wants an account. */
export type ActorContext = { ctx: Context; meta: RequestMeta; scope: Scope | undefined }

export const lock = 'users'

/** Registrations and attempts per network and hour. */
const FROM_NETWORK = 60

/** Throws 429 when there were more than `max` calls in the last hour. */
export async function refuseTooMany(ctx: Context, what: string, max: number) {
  const retry_after = await hourly(ctx, what, max)
  if (retry_after > 0)
    throw new Failure('too_many', t('Too many requests, please try again later.'), { retry_after })
}

export const throttle = (
  { ctx, meta }: Omit<ActorContext, 'scope'>,
  what: string,
  max = FROM_NETWORK,
): Promise<void> => refuseTooMany(ctx, `${what}:${networkOf(meta.ip)}`, max)

/**
 * The provider that new accounts belong to. Throws 422 for another one, 503 when none exists or it has no
 * root domain.
 */
export async function providerFor(ctx: Context, requestedSid: string | undefined) {
  const provider = await registrations.providerFor(ctx, requestedSid)
  if (!provider && requestedSid)
    throw conflict('service_provider_sid', t('invalid service_provider_sid'))
  if (provider?.root_domain) return provider
  ctx.log.error(
    { service_provider_sid: provider?.service_provider_sid },
    provider
      ? 'nobody can register: the service provider has no root domain'
      : 'nobody can register: DEFAULT_SERVICE_PROVIDER_SID does not name a service provider',
  )
  throw new Failure('unavailable', REGISTRATION_NOT_SET_UP)
}

/** The scope for changes to a user who is not logged in yet. */
export const ownScope = (user: UserRow): Scope => {
  const { user_sid, name, account_sid, service_provider_sid } = user
  const caller = { user_sid, name, view_only: false, force_change: false }
  if (account_sid && service_provider_sid)
    return { ...caller, role: 'account', account_sid, service_provider_sid }
  if (service_provider_sid) return { ...caller, role: 'service_provider', service_provider_sid }
  return { ...caller, role: 'admin' }
}

/** The logged-in account user who adds another log-in. Throws 403 for other callers. */
export function person(scope: Scope | undefined) {
  if (scope?.role === 'account' && scope.user_sid)
    return { ...scope, role: scope.role, user_sid: scope.user_sid }
  if (scope) throw new Failure('forbidden', t('insufficient permissions'))
  return undefined
}

const notInvited = () => invalidField('inviteCode', INVITE_CODE_INVALID)

/** The required invite code. Undefined where registration is open, and for existing accounts. */
export async function invitation({ ctx, scope }: ActorContext, { inviteCode }: Body) {
  if (!ctx.config.page.INVITE_ONLY || scope) return undefined
  if (!inviteCode || !(await registrations.isGoodInvite(ctx.db, inviteCode))) throw notInvited()
  return inviteCode
}

/** Fields that are the same in every answer. */
export const newAnswer = {
  phone_validated: false,
  tutorial_completion: 0,
  scope: 'read-write',
} as const

/** Creates the user, and the account if needed, in one transaction. Throws the error that `taken` returns. */
export async function completeRegistration(
  { ctx, meta }: Omit<ActorContext, 'scope'>,
  one: Person,
  { replaces, inviteCode }: { replaces?: string | undefined; inviteCode?: string | undefined },
  taken: () => Failure,
) {
  await transaction(
    ctx.db,
    async (tx) => {
      if (await takenUsers.isTaken(tx, one.email, one.email, replaces)) throw taken()
      if (inviteCode && !(await registrations.useInvite(tx, inviteCode))) throw notInvited()
      if (replaces === undefined) return addAccount(ctx, tx, meta, one)
      const scope = { ...scopeOf(one), user_sid: replaces }
      // the account or user has been deleted
      if (!(await users.find(tx, scope, replaces))) throw taken()
      await endSessions({ ...ctx, db: tx, live: ctx.live.within(tx) }, replaces)
      await auditedIn(tx, { scope, meta }, users.auditSubject(scope, replaces), () =>
        userWrites.removeAll(tx, scope, [replaces]),
      )
      await addUser(tx, meta, scope, one)
    },
    { lock },
  )
  if (replaces) await endSessions(ctx, replaces)
}
