import { createHash, randomBytes } from 'node:crypto'
import { type api, LOGIN_FAILED } from '@switchroom/contract'
import { auditedIn } from '../audit/audited.ts'
import { refuseDeactivated } from '../http/authenticate.ts'
import type { Context } from '../http/context.ts'
import { Failure, invalidField } from '../http/failure.ts'
import {
  checkPassword,
  liftLockOut,
  passwordKey,
  requirePassword,
  trySecret,
} from '../http/password.ts'
import type { RequestMeta } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { beginSession, endingSessions, endSessions, renewSession } from '../http/sessions.ts'
import { hashPassword } from '../secrets/passwords.ts'
import * as settings from '../tenants/settings/queries.ts'
import * as users from '../users/queries.ts'
import { claimsOf, type UserRow } from '../users/token-claims.ts'

const RESET_SECONDS = 3600
const resetKey = (id: string) => `reset-link:${id}`

async function sendResetLink({ live, config, mail, db }: Context, email: string) {
  // limits mails per mailbox, over all callers
  const emailHash = createHash('sha256').update(email.toLowerCase()).digest('hex')
  if ((await live.increment(`switchroom:forgot:${emailHash}`, RESET_SECONDS)) > 5) return
  const subject = 'Reset password request'
  for (const user of await users.withEmail(db, email)) {
    if (user.provider !== 'local') {
      const text = `Hi ${user.name},\n\nYou log in with ${user.provider}. Please change your password there.\n`
      await mail?.({ to: user.email, subject, text })
      continue
    }
    const id = randomBytes(24).toString('base64url')
    await live.set(resetKey(id), user.user_sid, RESET_SECONDS)
    const text = `Hi ${user.name},\n\nSet a new password with this link. It is valid for one hour:\n\n${config.base_url}/reset-password/${id}\n\nIf you did not request it, you can ignore this email.\n`
    await mail?.({ to: user.email, subject, text })
  }
}

/** The user with this name and password. Throws 403 for unknown names and wrong passwords alike. */
async function authenticated(
  ctx: Context,
  { ip }: RequestMeta,
  candidate: UserRow | undefined,
  name: string,
  password: string,
) {
  const user = await trySecret(ctx, { key: passwordKey(candidate, name), ip }, () =>
    checkPassword(ctx, candidate, password),
  )
  if (!user) throw new Failure('forbidden', LOGIN_FAILED)
  await refuseDeactivated(ctx, user)
  return user
}

async function exchangeLink(ctx: Context, meta: RequestMeta, link: string) {
  const [user_sid] = await ctx.live.get(resetKey(link))
  const user = user_sid ? await users.withSid(ctx.db, user_sid) : undefined
  if (!user?.is_active || user.provider !== 'local')
    throw new Failure('forbidden', 'This link is no longer valid. Please request a new one.')
  // good for choosing a password and nothing else
  await refuseDeactivated(ctx, user)
  const claims = { ...claimsOf(user), force_change: true }
  const jwt = await beginSession(ctx, claims, { method: 'reset_link', meta })
  return { jwt, user_sid: user.user_sid }
}

export const sessionRoutes: Handlers<typeof api.session> = {
  async login({ body, ctx, meta }) {
    const candidate = await users.withName(ctx.db, body.username)
    const user = await authenticated(ctx, meta, candidate, body.username, body.password)
    const claims = claimsOf(user)
    const token = await beginSession(ctx, claims, { method: 'password', meta })
    const { iat: _, exp: __, is_view_only: ___, name: ____, ...rest } = claims
    return {
      ...rest,
      token,
      service_provider_sid: claims.service_provider_sid ?? undefined,
      service_provider_name: claims.service_provider_name ?? undefined,
      account_sid: claims.account_sid ?? undefined,
      account_name: claims.account_name ?? undefined,
    }
  },

  async logout({ scope, ctx }) {
    await endSessions(ctx, scope.user_sid!)
  },

  async renew({ scope, ctx }) {
    const user = await users.withSid(ctx.db, scope.user_sid!)
    if (!user?.is_active) {
      await endSessions(ctx, scope.user_sid!)
      throw new Failure('unauthenticated', 'Unauthorized')
    }
    const token = await renewSession(ctx, scope.session_sid!, claimsOf(user))
    if (!token) throw new Failure('unauthenticated', 'Unauthorized')
    return { token }
  },

  async forgotPassword({ body, ctx }) {
    if (!ctx.mail)
      throw new Failure(
        'unavailable',
        'Email is not configured on this server. Ask an administrator',
      )
    // answered before it is known whether there is such a user, so nobody learns it from the time it took
    sendResetLink(ctx, body.email).catch((err) =>
      ctx.log.error({ err }, 'reset link could not be sent'),
    )
  },

  async signIn({ body: { link, email, password }, ctx, meta }) {
    if (link) return exchangeLink(ctx, meta, link)
    if (!ctx.config.page.ENABLE_HOSTED_SYSTEM) throw invalidField('link', 'Enter the link')
    if (!email || !password)
      throw invalidField(email ? 'password' : 'email', 'missing email or password')
    // a name may be an email too, of an operator or of a colleague who has not verified it
    const candidate =
      (await users.withProvenEmail(ctx.db, email)) ?? (await users.withName(ctx.db, email))
    const user = await authenticated(ctx, meta, candidate, email, password)
    const jwt = await beginSession(ctx, claimsOf(user), { method: 'password', meta })
    return { jwt, ...(await users.signedIn(ctx.db, user.user_sid)) }
  },

  async changePassword({ body: { old_password, new_password }, ...actor }) {
    const { scope, ctx, meta } = actor
    const user = await users.withSid(ctx.db, scope.user_sid!)
    if (!user) throw new Failure('unauthenticated', 'Unauthorized')
    if (user.provider !== 'local')
      throw new Failure('invalid', 'user is using oauth authentication')
    const link = resetKey(old_password)
    const byLink = (await ctx.live.get(link))[0] === user.user_sid
    if (!byLink) await requirePassword(ctx, meta, user, 'old_password', old_password)
    await settings.requireGoodPassword(ctx.db, 'new_password', new_password, {
      name: user.name,
      email: user.email,
    })
    const hash = await hashPassword(new_password)
    const { user_sid } = user
    await endingSessions(ctx, [user_sid], (tx) =>
      auditedIn(tx, actor, users.auditSubject(scope, user_sid), () =>
        users.setPassword(tx, user_sid, hash),
      ),
    )
    await ctx.live.remove(link)
    await liftLockOut(ctx, { key: passwordKey(user), ip: meta.ip })
  },
}
