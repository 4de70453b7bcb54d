import {
  type api,
  INVITE_WRONG,
  REGISTRATION_NOT_SET_UP,
  type Received,
} from '@switchroom/contract'
import { within } from '../changes/changing.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { conflict, Failure, invalidField } from '../http/failure.ts'
import type { By, Scope } from '../http/scope.ts'
import { hourly } from '../live/hourly.ts'
import { endSessions } from '../session/sessions.ts'
import type { UserRow } from '../users/claims.ts'
import * as users from '../users/queries.ts'
import { addAccount, addUser, type Person, scopeOf } from './account.ts'
import * as registrations from './queries.ts'

/** What all ways to register have in common. */

export type Body = Received<typeof api.registration.register>['body']
/** Undefined is nobody: a stranger, who wants an account. */
export type Asking = { ctx: Context; by: By; scope: Scope | undefined }

export const lock = 'users'

/** Registrations and guesses from one address in an hour, so that nobody fills mailboxes or tries codes at will. */
const FROM_ADDRESS = 60

/** Throws 429 when this was asked too often within the hour. */
export async function refuseTooMany(ctx: Context, what: string, max: number) {
  const retry_after = await hourly(ctx, what, max)
  if (retry_after > 0)
    throw new Failure('too_many', 'Too many requests, please try again later.', { retry_after })
}

export const throttle = (
  { ctx, by }: Omit<Asking, 'scope'>,
  what: string,
  max = FROM_ADDRESS,
): Promise<void> => refuseTooMany(ctx, `${what}:${by.ip}`, max)

/** Whose accounts register here. Throws 422 for another one, 503 while there is none, or it has no domain for realms. */
export async function providerFor(ctx: Context, asked: string | undefined) {
  const provider = await registrations.providerFor(ctx, asked)
  if (!provider && asked) throw conflict('service_provider_sid', 'invalid service_provider_sid')
  if (provider?.root_domain) return provider
  ctx.log.error(
    { service_provider_sid: provider?.service_provider_sid },
    provider
      ? 'nobody can register: the service provider has no root domain'
      : 'nobody can register: DEFAULT_SERVICE_PROVIDER_SID does not name a service provider',
  )
  throw new Failure('unavailable', REGISTRATION_NOT_SET_UP)
}

/** As whom a user changes itself before it has signed in. */
export const ownScope = (user: UserRow): Scope => {
  const { user_sid, name, account_sid, service_provider_sid } = user
  const caller = { user_sid, name, view_only: false, force_change: false }
  if (account_sid && service_provider_sid)
    return { ...caller, role: 'account', account_sid, service_provider_sid }
  if (service_provider_sid) return { ...caller, role: 'service_provider', service_provider_sid }
  return { ...caller, role: 'admin' }
}

/** The signed-in user who asks for another way to sign in. Throws 403 for anybody but a person of an account. */
export function person(scope: Scope | undefined) {
  if (scope?.role === 'account' && scope.user_sid)
    return { ...scope, role: scope.role, user_sid: scope.user_sid }
  if (scope) throw new Failure('forbidden', 'insufficient permissions')
  return undefined
}

const notInvited = () => invalidField('inviteCode', INVITE_WRONG)

/** The code that a new account costs. Undefined where everybody may register, and where there is an account. */
export async function invitation({ ctx, scope }: Asking, { inviteCode }: Body) {
  if (!ctx.config.page.INVITE_ONLY || scope) return undefined
  if (!inviteCode || !(await registrations.isGoodInvite(ctx.db, inviteCode))) throw notInvited()
  return inviteCode
}

/** What is the same in every answer. */
export const newAnswer = {
  phone_validated: false,
  tutorial_completion: 0,
  scope: 'read-write',
} as const

/** Makes the user, and the account where there is none yet, in one transaction. Throws what `taken` makes. */
export async function complete(
  { ctx, by }: Omit<Asking, 'scope'>,
  one: Person,
  { replaces, inviteCode }: { replaces?: string | undefined; inviteCode?: string | undefined },
  taken: () => Failure,
) {
  await transaction(
    ctx.db,
    async (tx) => {
      if (await users.isTaken(tx, one.email, one.email, replaces)) throw taken()
      if (inviteCode && !(await registrations.useInvite(tx, inviteCode))) throw notInvited()
      if (replaces === undefined) return addAccount(ctx, tx, by, one)
      const scope = { ...scopeOf(one), user_sid: replaces }
      // an account or a user that has gone meanwhile cannot be given a way in
      if (!(await users.find(tx, scope, replaces))) throw taken()
      await endSessions({ ...ctx, live: ctx.live.within(tx) }, replaces)
      await within(tx, { scope, by }, users.thing(scope, replaces), () =>
        users.remove(tx, scope, replaces),
      )
      await addUser(tx, by, scope, one)
    },
    { lock },
  )
  if (replaces) await endSessions(ctx, replaces)
}
