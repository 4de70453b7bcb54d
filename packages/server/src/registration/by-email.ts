import { randomUUID } from 'node:crypto'
import { Email, type Registered } from '@switchroom/contract'
import { changing } from '../changes/changing.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import { hashPassword } from '../passwords.ts'
import { beginSession, endedSince } from '../session/sessions.ts'
import * as settings from '../settings/queries.ts'
import { claimsOf } from '../users/claims.ts'
import * as users from '../users/queries.ts'
import type { Person } from './account.ts'
import * as codes from './codes.ts'
import { sendCode } from './mails.ts'
import {
  type Asking,
  type Body,
  complete,
  invitation,
  lock,
  newAnswer,
  ownScope,
  person,
  providerFor,
  throttle,
} from './registering.ts'

/** Keeps a registration until its code is right. The token in the answer is good from then on. */
export async function register(asking: Asking, body: Body): Promise<Registered> {
  const { ctx, scope } = asking
  await throttle(asking, 'registrations')
  if (!ctx.mail)
    throw new Failure('unavailable', 'Mail is not set up on this server: ask an administrator')
  const provider = await providerFor(ctx, body.service_provider_sid)
  const inviteCode = await invitation(asking, body)
  const { email, password } = { email: body.email!, password: body.password! }
  await settings.requireGoodPassword(ctx.db, 'password', password)
  const hashed_password = await hashPassword(password)
  const caller = person(scope)
  const { service_provider_sid, name, root_domain } = provider
  const user_sid = randomUUID()
  const account_sid = caller?.account_sid ?? randomUUID()
  const code = await codes.begin(ctx, user_sid, {
    kind: 'user',
    email,
    hashed_password,
    account_sid,
    service_provider_sid: caller?.service_provider_sid ?? service_provider_sid,
    inviteCode,
    ...(caller && { replaces: caller.user_sid }),
  })
  // answered before it is known whether the address has an account, so nobody learns it from the time it took
  sendCode(ctx, email, code)
  // its session begins with the code; until then it opens nothing
  const jwt = await ctx.tokens.sign({
    scope: 'account',
    user_sid,
    name: email,
    permissions: [],
    is_view_only: false,
    force_change: false,
    service_provider_sid: caller?.service_provider_sid ?? service_provider_sid,
    ...(!caller && { service_provider_name: name }),
    account_sid,
    ...(!caller && { account_name: email.slice(0, 64) }),
  })
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

/** Another code for the same registration. */
export async function sendAgain({ ctx }: Asking, user_sid: string) {
  const { pending, code } = await codes.again(ctx, user_sid)
  sendCode(ctx, pending.email, code)
}

/** Mails a code to the address that the signed-in user wants to have from now on. */
export async function beginNewAddress({ ctx, scope }: Asking, user_sid: string, value: string) {
  if (!scope?.user_sid || scope.user_sid !== user_sid)
    throw new Failure('invalid', 'invalid user_sid')
  const address = Email.safeParse(value)
  if (!address.success) throw invalidField('value', 'invalid email')
  const code = await codes.begin(ctx, user_sid, { kind: 'address', email: address.data })
  sendCode(ctx, address.data, code)
}

/** Gives a user an address that has proved to be its own, and the name of it where that was the old address. */
async function changeAddress({ ctx, by }: Omit<Asking, 'scope'>, user_sid: string, email: string) {
  const user = await users.withSid(ctx.db, user_sid)
  if (!user) throw codes.codeWrong()
  const own = ownScope(user)
  const change = { ...users.thing(own, user_sid), lock }
  await changing({ ctx, by, scope: own }, change, async (tx) => {
    const name = user.name === user.email ? email : user.name
    if (await users.isTaken(tx, name, email, user_sid)) throw codes.codeWrong()
    await users.update(tx, own, user_sid, { email, name, email_validated: 1 })
  })
}

type Proving = Omit<Asking, 'scope'>

/** Makes, or changes, what the code was sent for. Throws 400 for any other code. */
export async function prove({ ctx, by }: Proving, user_sid: string, code: string) {
  const proved = await codes.prove(ctx, user_sid, code)
  // whoever has changed the password since, or signed out, has put an end to what a stolen session began
  const asker = proved.kind === 'address' ? user_sid : proved.replaces
  if (asker && (await endedSince(ctx, asker, proved.begun_at))) throw codes.codeWrong()
  if (proved.kind === 'address') {
    await changeAddress({ ctx, by }, user_sid, proved.email)
    return codes.forget(ctx, user_sid)
  }
  const { kind: _, begun_at: __, replaces, inviteCode, ...pending } = proved
  const one: Person = { ...pending, user_sid, provider: 'local' }
  await complete({ ctx, by }, one, { replaces, inviteCode }, codes.codeWrong)
  await codes.forget(ctx, user_sid)
  const user = found(await users.withSid(ctx.db, user_sid), 'user')
  // from here on the token that was given out with the registration is good
  await beginSession(ctx, claimsOf(user))
}
