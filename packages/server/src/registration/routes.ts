import { randomInt, randomUUID } from 'node:crypto'
import {
  type api,
  Email,
  INVITE_WRONG,
  OAUTH_PROVIDER_NAMES,
  type OAuthProvider,
  type Received,
  type Registered,
  SipRealm,
} from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import * as applications from '../applications/queries.ts'
import { changing, within } from '../changes/changing.ts'
import { record } from '../changes/record.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { conflict, Failure, found, invalidField } from '../http/failure.ts'
import type { By, Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { hashPassword } from '../passwords.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import { beginSession, endSessions } from '../session/sessions.ts'
import * as settings from '../settings/queries.ts'
import { claimsOf, type UserRow } from '../users/claims.ts'
import * as users from '../users/queries.ts'
import { addAccount, addUser, type Person, scopeOf } from './account.ts'
import * as codes from './codes.ts'
import type { Identity } from './identity.ts'
import { sendCode } from './mails.ts'
import * as registrations from './queries.ts'
import * as signIns from './sign-ins.ts'

type Body = Received<typeof api.registration.register>['body']
type Asking = { ctx: Context; by: By; scope: Scope | undefined }

const lock = 'users'

/** Registrations and guesses from one address in an hour, so that nobody fills mailboxes or tries codes at will. */
const FROM_ADDRESS = 60

async function throttle({ ctx, by }: Asking, what: string, max = FROM_ADDRESS) {
  if ((await ctx.live.increment(`switchroom:${what}:${by.ip}`, 3600)) > max)
    throw new Failure('too_many', 'Too many requests, please try again later.', {
      retry_after: 3600,
    })
}

/** Whose accounts register here. Throws 422 for another one, 503 while it has no domain for realms. */
async function providerFor(ctx: Context, asked: string | undefined) {
  const provider = await registrations.providerFor(ctx, asked)
  if (!provider) throw conflict('service_provider_sid', 'invalid service_provider_sid')
  if (!provider.root_domain)
    throw new Failure(
      'unavailable',
      `root_domain missing for service provider ${provider.service_provider_sid}`,
    )
  return provider
}

/** The signed-in user who asks for another way to sign in. Throws 403 for anybody but a person of an account. */
function person(scope: Scope | undefined) {
  if (scope?.role === 'account' && scope.user_sid)
    return { ...scope, role: scope.role, user_sid: scope.user_sid }
  if (scope) throw new Failure('forbidden', 'insufficient permissions')
  return undefined
}

const notInvited = () => invalidField('inviteCode', INVITE_WRONG)

/** The code that a new account costs. Undefined where everybody may register, and where there is an account. */
async function invitation({ ctx, scope }: Asking, { inviteCode }: Body) {
  if (!ctx.config.page.INVITE_ONLY || scope) return undefined
  if (!inviteCode || !(await registrations.isGoodInvite(ctx.db, inviteCode))) throw notInvited()
  return inviteCode
}

const newAnswer = {
  phone_validated: false,
  tutorial_completion: 0,
  scope: 'read-write',
} as const

async function registerLocal(asking: Asking, body: Body): Promise<Registered> {
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

/** Makes the user, and the account where there is none yet, in one transaction. Throws what `taken` makes. */
async function complete(
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

/** Mails a code to the address that the signed-in user wants to have from now on. */
async function beginNewAddress({ ctx, scope }: Asking, user_sid: string, value: string) {
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
  const own: Scope = { ...ownScope(user), user_sid, name: user.name, ...NOBODY_ELSE }
  const change = { ...users.thing(own, user_sid), lock }
  await changing({ ctx, by, scope: own }, change, async (tx) => {
    const name = user.name === user.email ? email : user.name
    if (await users.isTaken(tx, name, email, user_sid)) throw codes.codeWrong()
    await users.update(tx, own, user_sid, { email, name, email_validated: 1 })
  })
}

const NOBODY_ELSE = { view_only: false, force_change: false }
const ownScope = ({ account_sid, service_provider_sid }: UserRow) =>
  account_sid && service_provider_sid
    ? { role: 'account' as const, account_sid, service_provider_sid }
    : service_provider_sid
      ? { role: 'service_provider' as const, service_provider_sid }
      : { role: 'admin' as const }

/** Lets a user in, as sign-in does. */
async function enter(ctx: Context, user_sid: string, pristine: boolean): Promise<Registered> {
  const user = await users.withSid(ctx.db, user_sid)
  if (!user?.is_active) throw new Failure('forbidden', 'This user may not sign in.')
  if (!user.account_sid) throw new Failure('conflict', 'user exists with no associated account')
  const jwt = await beginSession(ctx, claimsOf(user))
  const answer = await users.signedIn(ctx.db, user_sid)
  return {
    ...newAnswer,
    ...answer,
    jwt,
    pristine,
    account_sid: user.account_sid,
    provider_userid: answer.provider_userid ?? undefined,
  }
}

/** The user who has come from this provider before. */
async function knownUser({ db }: Context, provider: OAuthProvider, identity: Identity) {
  const known = await users.withProvider(db, provider, identity.id)
  if (known || !identity.formerly || !identity.email_verified) return known
  // a stock API server stored a name that may be somebody else's by now: the address has to be the same
  const former = await users.withProvider(db, provider, identity.formerly)
  if (former?.email.toLowerCase() !== identity.email) return undefined
  await users.setProviderUserid(db, former.user_sid, identity.id)
  return former
}

async function registerElsewhere(
  asking: Asking,
  provider: OAuthProvider,
  body: Body,
): Promise<Registered> {
  const { ctx, by, scope } = asking
  const { identity, locationBeforeAuth } = await signIns.finish(ctx, provider, by.browser, {
    code: body.oauth2_code!,
    state: body.oauth2_state!,
    iss: body.oauth2_iss,
  })
  const caller = person(scope)
  const known = await knownUser(ctx, provider, identity)
  if (known && caller)
    throw new Failure('conflict', 'account already exists for this oauth user/provider')
  if (known) return enter(ctx, known.user_sid, false)
  const { email } = identity
  if (!identity.email_verified)
    throw new Failure(
      'forbidden',
      `Your e-mail address is not verified at ${OAUTH_PROVIDER_NAMES[provider]}.`,
    )
  if (locationBeforeAuth === '/sign-in' && !caller)
    throw new Failure('not_found', 'registering a new account not allowed from the sign-in page')
  const owner = caller ?? (await providerFor(ctx, body.service_provider_sid))
  const inviteCode = await invitation(asking, body)
  const one: Person = {
    user_sid: randomUUID(),
    account_sid: caller?.account_sid ?? randomUUID(),
    service_provider_sid: owner.service_provider_sid,
    email,
    provider,
    provider_userid: identity.id,
  }
  await complete(asking, one, { replaces: caller?.user_sid, inviteCode }, () =>
    invalidField('email', `user already exists with email ${email}`),
  )
  return enter(ctx, one.user_sid, caller === undefined)
}

/** A realm that this caller could take: an account only one below its provider's domain. */
async function isRealmAvailable({ db }: Context, scope: Scope, value: string) {
  const realm = SipRealm.safeParse(value)
  if (!realm.success || !realm.data) return false
  if (scope.role !== 'account') return !(await accounts.isRealmTaken(db, realm.data))
  if (!(await accounts.isOwnSubdomain(db, scope.account_sid, realm.data))) return false
  return !(await accounts.isRealmTaken(db, realm.data, scope.account_sid))
}

const INVITE_ALPHABET = '0123456789ABCXZ'
const inviteCode = () =>
  Array.from({ length: 6 }, () => INVITE_ALPHABET[randomInt(INVITE_ALPHABET.length)]).join('')

export const registrationRoutes: Handlers<typeof api.registration> = {
  async authorize({ body, ctx, by, scope }) {
    await throttle({ ctx, by, scope }, 'authorizations', 300)
    return { url: await signIns.begin(ctx, body.provider, by.browser!, body.locationBeforeAuth) }
  },

  register: ({ body, ...asking }) =>
    body.provider === 'local'
      ? registerLocal(asking, body)
      : registerElsewhere(asking, body.provider, body),

  async sendCode({ body, ...asking }) {
    if (body.type === 'phone') throw new Failure('invalid', 'invalid user_sid')
    const { ctx } = asking
    await throttle(asking, 'codes')
    if (body.value !== undefined) return beginNewAddress(asking, body.user_sid, body.value)
    const { pending, code } = await codes.again(ctx, body.user_sid)
    sendCode(ctx, pending.email, code)
  },

  async checkCode({ params, body: { user_sid, type }, ...asking }) {
    const { ctx, by } = asking
    await throttle(asking, 'guesses')
    if (type === 'phone') throw codes.codeWrong()
    const proved = await codes.prove(ctx, user_sid, params.code)
    if (proved.kind === 'address') {
      await changeAddress({ ctx, by }, user_sid, proved.email)
      return codes.forget(ctx, user_sid)
    }
    const { kind: _, replaces, inviteCode, ...pending } = proved
    const one: Person = { ...pending, user_sid, provider: 'local' }
    await complete({ ctx, by }, one, { replaces, inviteCode }, codes.codeWrong)
    await codes.forget(ctx, user_sid)
    const user = found(await users.withSid(ctx.db, user_sid), 'user')
    // from here on the token that was given out with the registration is good
    await beginSession(ctx, claimsOf(user))
  },

  async availability({ query: { type, value }, scope, ctx }) {
    if (type === 'subdomain') return { available: await isRealmAvailable(ctx, scope, value) }
    // an account has little to ask of other people's addresses, and could find out who has one here
    const asker = scope.user_sid ?? scope.api_key_sid
    if (scope.role === 'account')
      if ((await ctx.live.increment(`switchroom:availability:${asker}`, 3600)) > 10)
        throw new Failure('too_many', 'Too many requests, please try again later.', {
          retry_after: 3600,
        })
    return { available: !(await users.isKnown(ctx.db, type, value)) }
  },

  async addInviteCodes({ body: { count }, ctx, ...who }) {
    const wanted = new Set<string>()
    while (wanted.size < count) wanted.add(inviteCode())
    const added = await transaction(ctx.db, async (tx) => {
      const fresh = await registrations.addInviteCodes(tx, [...wanted])
      // how many, and not which: whoever reads the log is not invited by it
      const after = { added: fresh.length }
      const entry = { action: 'create', kind: 'invite_code', name: `${fresh.length}` } as const
      const nobodys = { sid: '', account_sid: null, service_provider_sid: null }
      await record(tx, who, [{ ...entry, ...nobodys, before: null, after }])
      return fresh
    })
    return { status: 'ok', added: added.length, codes: added }
  },

  async useInviteCode({ body: { code, test }, ...asking }) {
    await throttle(asking, 'invitations', 30)
    const { db } = asking.ctx
    const good = test
      ? await registrations.isGoodInvite(db, code)
      : await registrations.useInvite(db, code)
    if (!good) throw new Failure('not_found', 'Not Found')
  },

  async accountTest({ params: { service_provider_sid: sid }, ctx }) {
    const everybody: Scope = { role: 'admin', view_only: true, force_change: false }
    found(await serviceProviders.find(ctx.db, everybody, sid), 'service provider')
    const rows = await registrations.testApplications(ctx.db, sid)
    const shown = await applications.readable(ctx.db, ctx.box, rows)
    return {
      phonenumbers: await registrations.testNumbers(ctx.db, sid),
      applications: shown.map((a) => ({ ...applications.masked(a), env_vars: null })),
    }
  },
}
