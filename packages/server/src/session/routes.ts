import { createHash, randomBytes } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { auditedIn } from '../audit/audited.ts'
import { refuseDeactivated } from '../http/authenticate.ts'
import type { Context } from '../http/context.ts'
import { Failure, invalidField } from '../http/failure.ts'
import {
  attemptOf,
  checkPassword,
  liftLockOut,
  newHash,
  passwordKey,
  requirePassword,
  trySecret,
} from '../http/password.ts'
import type { RequestMeta } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { endingSessions, endSession, endSessions, renewSession } from '../http/sessions.ts'
import { OIDC, passwordLogIn, refuseLocalLogIn } from '../http/single-sign-on.ts'
import * as settings from '../tenants/settings/queries.ts'
import { NO_PASSWORD } from '../users/checks.ts'
import * as users from '../users/queries.ts'
import type { UserRow } from '../users/token-claims.ts'
import * as userWrites from '../users/writes.ts'
import { logInUser, personalOf, renewedClaims, signedIn } from './second-factor/log-in.ts'
import { totpOf } from './second-factor/queries.ts'

const RESET_SECONDS = 3600
const resetKey = (id: string) => `reset-link:${id}`

async function sendResetLink({ live, config, mail, db }: Context, email: string) {
  // limits mails per mailbox, over all callers
  const emailHash = createHash('sha256').update(email.toLowerCase()).digest('hex')
  if ((await live.increment(`switchroom:forgot:${emailHash}`, RESET_SECONDS)) > 5) return
  const subject = t('Reset password request')
  for (const user of await users.withEmail(db, email)) {
    if (user.provider !== 'local') {
      const provider = user.provider === OIDC ? 'single sign-on' : user.provider
      const text = `Hi ${user.name},\n\nYou log in with ${provider}. Please change your password there.\n`
      await mail?.({ to: user.email, subject, text })
      continue
    }
    const id = randomBytes(24).toString('base64url')
    await live.set(resetKey(id), user.user_sid, RESET_SECONDS)
    const text = `Hi ${user.name},\n\nSet a new password with this link. It is valid for one hour:\n\n${config.base_url}/reset-password/${id}\n\nIf you did not request it, you can ignore this email.\n`
    await mail?.({ to: user.email, subject, text })
  }
}

/** A code of an authenticator app, as clients send it that know only a password: `password,123456`. */
const WITH_CODE = /^(.+),(\d{6})$/s

type Right = { user: UserRow; code?: string }

/**
 * The user of this password with the code behind its comma, if it has an authenticator app. For all others the
 * code is part of the password, but it is compared either way, so that the time does not tell who has an app.
 */
const withCode = async (
  { db }: Context,
  user: UserRow | undefined,
  code: string,
): Promise<Right | undefined> =>
  user && (await totpOf(db, user.user_sid)) ? { user, code } : undefined

/**
 * The user with this name and password, and the code that came with it. Throws the same 403 for unknown names, wrong
 * passwords, and right ones of users who may not log in.
 */
async function authenticated(
  by: { ctx: Context; scope: undefined; meta: RequestMeta },
  candidate: UserRow | undefined,
  name: string,
  password: string,
) {
  const { ctx } = by
  const attempt = attemptOf(by, candidate, name)
  const { isOn, refusal } = await passwordLogIn(ctx, candidate?.user_sid)
  const check = async (tried: string) => {
    const user = await checkPassword(ctx, candidate, tried)
    return isOn ? user : undefined
  }
  const [, front, code] = WITH_CODE.exec(password) ?? []
  // two passwords that may be meant are two tries
  const right: Right | undefined =
    (front && code
      ? await trySecret(ctx, attempt, async () => withCode(ctx, await check(front), code))
      : undefined) ??
    (await trySecret(ctx, attempt, async () => {
      const user = await check(password)
      return user && { user }
    }))
  if (!right) throw new Failure('forbidden', refusal)
  await refuseDeactivated(ctx, right.user)
  return right
}

async function exchangeLink(ctx: Context, meta: RequestMeta, link: string) {
  const find = async () => {
    const [user_sid] = await ctx.live.get(resetKey(link))
    return user_sid ? users.withSid(ctx.db, user_sid) : undefined
  }
  const key = `link:${createHash('sha256').update(link).digest('hex')}`
  const user = await trySecret(ctx, { key, ip: meta.ip }, find)
  if (user?.provider !== 'local')
    throw new Failure('forbidden', t('This link is no longer valid. Please request a new one.'))
  await refuseDeactivated(ctx, user)
  // good for choosing a password and nothing else
  const { token } = await logInUser(ctx, user, { method: 'reset_link', meta })
  return { jwt: token, user_sid: user.user_sid }
}

export const sessionRoutes: Handlers<typeof api.session> = {
  async login({ body, ...by }) {
    const { ctx, meta } = by
    const candidate = await users.withName(ctx.db, body.username)
    const { user, code } = await authenticated(by, candidate, body.username, body.password)
    const { claims, token } = await logInUser(ctx, user, { method: 'password', meta, code })
    return signedIn(ctx, claims, token)
  },

  async logout({ query: { everywhere }, scope, ctx }) {
    if (everywhere) await endSessions(ctx, scope.user_sid!)
    else await endSession(ctx, scope.user_sid!, scope.session_sid!)
  },

  async renew({ scope, ctx }) {
    const user = await users.withSid(ctx.db, scope.user_sid!)
    if (!user?.is_active) {
      await endSessions(ctx, scope.user_sid!)
      throw new Failure('unauthenticated', t('Unauthorized'))
    }
    // a local session does not outlive its token once single sign-on is enforced
    if (user.provider === 'local')
      await refuseLocalLogIn(ctx, user).catch((e) => {
        throw e instanceof Failure ? new Failure('unauthenticated', t('Unauthorized')) : e
      })
    const token = await renewSession(
      ctx,
      scope.session_sid!,
      await renewedClaims(ctx.db, user, scope),
    )
    if (!token) throw new Failure('unauthenticated', t('Unauthorized'))
    return { token }
  },

  async forgotPassword({ body, ctx }) {
    if (!ctx.mail)
      throw new Failure(
        'unavailable',
        t('Email is not configured on this server. Ask an administrator'),
      )
    // answered before it is known whether there is such a user, so nobody learns it from the time it took
    sendResetLink(ctx, body.email).catch((err) =>
      ctx.log.error({ err }, 'reset link could not be sent'),
    )
  },

  async signIn({ body: { link, email, password }, ...by }) {
    const { ctx, meta } = by
    if (link) return exchangeLink(ctx, meta, link)
    if (!ctx.config.page.ENABLE_HOSTED_SYSTEM) throw invalidField('link', t('Enter the link'))
    if (!email || !password)
      throw invalidField(email ? 'password' : 'email', t('missing email or password'))
    // a name may be an email too, of an operator or of a colleague who has not verified it
    const candidate =
      (await users.withProvenEmail(ctx.db, email)) ?? (await users.withName(ctx.db, email))
    const { user, code } = await authenticated(by, candidate, email, password)
    const { claims, token } = await logInUser(ctx, user, { method: 'password', meta, code })
    return {
      jwt: token,
      ...(await users.signedIn(ctx.db, user.user_sid)),
      ...(await personalOf(ctx, claims)),
    }
  },

  async changePassword({ body: { old_password, new_password }, ...actor }) {
    const { scope, ctx, meta } = actor
    const user = await users.withSid(ctx.db, scope.user_sid!)
    if (!user) throw new Failure('unauthenticated', t('Unauthorized'))
    if (user.provider !== 'local')
      throw invalidField('new_password', NO_PASSWORD, t('user is using oauth authentication'))
    const link = resetKey(old_password)
    const byLink = (await ctx.live.get(link))[0] === user.user_sid
    if (!byLink) await requirePassword(actor, user, 'old_password', old_password)
    await settings.requireGoodPassword(ctx, 'new_password', new_password, {
      name: user.name,
      email: user.email,
    })
    const hash = await newHash(actor, new_password)
    // of two parallel requests with one link, only the first sets a password
    if (byLink && (await ctx.live.increment(`${link}:used`, RESET_SECONDS)) > 1)
      throw invalidField('old_password', t('old_password is incorrect'))
    const { user_sid } = user
    await endingSessions(ctx, [user_sid], (tx) =>
      auditedIn(tx, actor, users.auditSubject(scope, user_sid), () =>
        userWrites.setPassword(tx, user_sid, hash),
      ),
    )
    await ctx.live.remove(link)
    // a link proves nothing of the second factor, whose tries stay counted
    await liftLockOut(ctx, { key: passwordKey(user), ...(!byLink && { ip: meta.ip }) })
  },
}
