import { randomUUID } from 'node:crypto'
import { Email, type Registered, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { newHash } from '../../http/password.ts'
import { isSecondFactorRequired } from '../../http/second-factor.ts'
import { beginSession, endedSince } from '../../http/sessions.ts'
import * as settings from '../../tenants/settings/queries.ts'
import * as users from '../../users/queries.ts'
import * as takenUsers from '../../users/taken.ts'
import { claimsOf } from '../../users/token-claims.ts'
import * as userWrites from '../../users/writes.ts'
import type { Person } from './account.ts'
import * as codes from './codes.ts'
import { sendCode } from './mails.ts'
import {
  type ActorContext,
  type Body,
  completeRegistration,
  invitation,
  lock,
  newAnswer,
  ownScope,
  person,
  providerFor,
  throttle,
} from './registration.ts'

/** Stores a registration until its code is confirmed, which also makes the token of the answer valid. */
export async function register(actorContext: ActorContext, body: Body): Promise<Registered> {
  const { ctx, scope } = actorContext
  await throttle(actorContext, 'registrations')
  if (!ctx.mail)
    throw new Failure(
      'unavailable',
      t('Email is not configured on this server. Ask an administrator'),
    )
  const provider = await providerFor(ctx, body.service_provider_sid)
  const inviteCode = await invitation(actorContext, body)
  const { email, password } = { email: body.email!, password: body.password! }
  await settings.requireGoodPassword(ctx, 'password', password, { email })
  const hashed_password = await newHash(actorContext, password)
  const caller = person(scope)
  const { service_provider_sid, name, root_domain } = provider
  const user_sid = randomUUID()
  const session_sid = randomUUID()
  const account_sid = caller?.account_sid ?? randomUUID()
  const code = await codes.createCode(ctx, user_sid, {
    kind: 'user',
    email,
    hashed_password,
    account_sid,
    service_provider_sid: caller?.service_provider_sid ?? service_provider_sid,
    inviteCode,
    session_sid,
    ...(caller && { replaces: caller.user_sid }),
  })
  // sent after answering, so that timing does not reveal which addresses have accounts
  sendCode(ctx, email, code)
  // the token is valid once the code is confirmed
  const claims = {
    scope: 'account' as const,
    user_sid,
    name: email,
    permissions: [],
    is_view_only: false,
    force_change: false,
    service_provider_sid: caller?.service_provider_sid ?? service_provider_sid,
    ...(!caller && { service_provider_name: name }),
    account_sid,
    ...(!caller && { account_name: email.slice(0, 64) }),
    ...((await isSecondFactorRequired(ctx.db, service_provider_sid)) && {
      second_factor_due: true,
    }),
  }
  const { token: jwt } = await ctx.tokens.sign(claims, { session_sid })
  return {
    ...newAnswer,
    jwt,
    user_sid,
    account_sid,
    name: email,
    email,
    provider: 'local',
    root_domain,
    pristine: caller === undefined,
    is_active: false,
    email_validated: false,
  }
}

/** Sends another code for the same registration. */
export async function sendAgain({ ctx }: ActorContext, user_sid: string) {
  const { pending, code } = await codes.again(ctx, user_sid)
  sendCode(ctx, pending.email, code)
}

/** Mails a code to the new address of a logged-in user. */
export async function beginNewAddress(
  { ctx, scope }: ActorContext,
  user_sid: string,
  value: string,
) {
  if (!scope?.user_sid || scope.user_sid !== user_sid)
    throw new Failure('invalid', t('invalid user_sid'))
  const address = Email.safeParse(value)
  if (!address.success) throw invalidField('value', t('invalid email'))
  const code = await codes.createCode(ctx, user_sid, { kind: 'address', email: address.data })
  sendCode(ctx, address.data, code)
}

/** Sets a user's verified email, and the username where that was the old email. */
async function changeAddress(
  { ctx, meta }: Omit<ActorContext, 'scope'>,
  user_sid: string,
  email: string,
) {
  const user = await users.withSid(ctx.db, user_sid)
  if (!user) throw codes.codeWrong()
  const own = ownScope(user)
  const change = { ...users.auditSubject(own, user_sid), lock }
  await audited({ ctx, meta, scope: own }, change, async (tx) => {
    const name = user.name === user.email ? email : user.name
    if (await takenUsers.isTaken(tx, name, email, user_sid)) throw codes.codeWrong()
    await userWrites.updateAll(tx, own, [user_sid], { email, name, email_validated: 1 })
  })
}

type VerifyContext = Omit<ActorContext, 'scope'>

/** Confirms a code and carries out its purpose. Throws 400 for a wrong code. */
export async function verifyCode({ ctx, meta }: VerifyContext, user_sid: string, code: string) {
  const proved = await codes.checkCode(ctx, user_sid, code)
  // a password change or a log-out since then voids the beginning of a stolen session
  const asker = proved.kind === 'address' ? user_sid : proved.replaces
  if (asker && (await endedSince(ctx.db, asker, proved.begun_at))) throw codes.codeWrong()
  if (proved.kind === 'address') {
    await changeAddress({ ctx, meta }, user_sid, proved.email)
    return codes.forget(ctx, user_sid)
  }
  const { kind: _, begun_at: __, replaces, inviteCode, session_sid, ...pending } = proved
  const one: Person = { ...pending, user_sid, provider: 'local' }
  await completeRegistration({ ctx, meta }, one, { replaces, inviteCode }, codes.codeWrong)
  await codes.forget(ctx, user_sid)
  const user = found(await users.withSid(ctx.db, user_sid), t('user'))
  // makes the token from the registration valid
  await beginSession(ctx, claimsOf(user), {
    method: 'registration',
    meta,
    ...(session_sid && { session_sid }),
  })
}
