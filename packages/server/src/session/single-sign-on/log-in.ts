import { DEACTIVATED, emailTaken, NO_RULE_MATCHES, t } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'
import { refuseDeactivated } from '../../http/authenticate.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { RequestMeta } from '../../http/scope.ts'
import { endSessions } from '../../http/sessions.ts'
import {
  activeSettings,
  clientDigest,
  type SingleSignOnSettings,
} from '../../http/single-sign-on.ts'
import { accessByRules } from '../../users/provisioning/access.ts'
import * as identities from '../../users/provisioning/identities.ts'
import {
  addUser,
  changeUser,
  NameTaken,
  providerActor,
} from '../../users/provisioning/provision.ts'
import { withVerifiedEmail } from '../../users/provisioning/rules.ts'
import * as users from '../../users/queries.ts'
import { logInUser } from '../second-factor/log-in.ts'
import { redirectUri } from './addresses.ts'
import { externalIdOf, personOf } from './claims.ts'
import { isUnreachable, refused, unreachable } from './failures.ts'
import * as pending from './pending.ts'
import { providerOf, type Verified } from './provider.ts'
import * as providerSessions from './provider-sessions.ts'
import { markTested } from './settings.ts'

type Request = { ctx: Context; meta: RequestMeta }

async function requireActive(ctx: Context) {
  const settings = await activeSettings(ctx)
  if (!settings) throw new Failure('forbidden', t('Single sign-on is off.'))
  return settings
}

/** Starts a log-in and resolves to the identity provider's URL. The secrets stay on the server. */
export async function authorize({ ctx, meta }: Request): Promise<string> {
  const settings = await requireActive(ctx)
  const secrets = pending.newSecrets()
  const url = await providerOf(ctx, settings)
    .then((provider) => provider.authorize(redirectUri(ctx), settings.scopes, secrets))
    .catch((e) => {
      ctx.log.warn({ err: e }, 'the identity provider cannot be used')
      throw unreachable(settings.name, e)
    })
  await pending.keep(ctx, meta.browser!, clientDigest(settings), secrets)
  return url
}

type Callback = {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** Completes a log-in: adds or changes the user as the identity provider says, and begins a session. */
export async function logIn(request: Request, callback: Callback) {
  const { ctx, meta } = request
  const settings = await requireActive(ctx)
  const secrets = await pending.take(ctx, meta.browser, clientDigest(settings), callback.state)
  if (callback.error || !callback.code) throw notGranted(settings.name, callback.error)
  const url = new URL(redirectUri(ctx))
  for (const key of ['code', 'state', 'iss'] as const)
    if (callback[key] !== undefined) url.searchParams.set(key, callback[key])
  const provider = await providerOf(ctx, settings).catch((e) => {
    throw unreachable(settings.name, e)
  })
  const verified = await provider.identify(url, secrets).catch((e) => {
    ctx.log.info({ code: errorCode(e) }, 'single sign-on log-in failed')
    throw isUnreachable(e) ? unreachable(settings.name, e) : refused(settings.name, e)
  })
  const user_sid = await userOf(request, settings, verified)
  await markTested(ctx.db, settings)
  const user = await users.withSid(ctx.db, user_sid)
  if (!user?.is_active) throw new Failure('forbidden', DEACTIVATED)
  await refuseDeactivated(ctx, user)
  const session_sid = await providerSessions.keep(ctx, { user_sid, verified })
  const { amr } = verified.claims
  return logInUser(ctx, user, {
    method: 'single_sign_on',
    meta,
    provedElsewhere: Array.isArray(amr) && amr.includes('mfa'),
    session_sid,
  })
}

const notGranted = (name: string, error: string | undefined) =>
  new Failure(
    'forbidden',
    error === 'access_denied'
      ? t('{name} denied this log-in. Ask its administrator for access.', { name })
      : t('{name} did not confirm this log-in. Try again.', { name }),
  )

/** The user of these claims, with the access that they give now. */
async function userOf(
  { ctx, meta }: Request,
  settings: SingleSignOnSettings,
  { claims }: Verified,
): Promise<string> {
  const { db } = ctx
  const external_id = externalIdOf(claims, settings.directory_claim)
  const subject = {
    issuer: claims.iss,
    subject: claims.sub,
    subject_digest: identities.subjectDigest(claims.iss, claims.sub),
    external_id,
  }
  const byRules = await accessByRules(db, settings.rules, withVerifiedEmail(claims))
  const identity =
    (await identities.withSubject(db, subject.subject_digest)) ??
    (external_id ? await identities.awaited(db, external_id, byRules) : undefined)
  const actor = providerActor(ctx, meta, `${settings.name} (single sign-on)`)
  const known = identity && (await users.find(db, actor.scope, identity.user_sid))

  if (identity?.directory_sid && known) {
    // its directory decides its rights
    if (!known.is_active) throw new Failure('forbidden', DEACTIVATED)
    const { external_id: _, ...link } = subject
    if (!identity.subject_digest) await identities.update(db, identity.user_sid, link)
    return identity.user_sid
  }

  const access = byRules?.access
  if (!access) {
    if (known?.is_active) await end(actor, known.user_sid)
    throw new Failure('forbidden', NO_RULE_MATCHES)
  }
  const person = personOf(claims)
  const taken = (e: unknown): never => {
    throw e instanceof NameTaken ? new Failure('forbidden', emailTaken(person.email)) : e
  }
  if (!known) {
    return addUser(
      actor,
      { ...person, ...access, is_active: 1 },
      { ...subject, directory_sid: null, details: '{}' },
    ).catch(async (e) => {
      // two first log-ins of one person at once
      const other = await identities.withSubject(db, subject.subject_digest)
      return other ? other.user_sid : taken(e)
    })
  }
  // whom an administrator has deactivated stays so
  if (!known.is_active && !identity!.ended_by_provider) throw new Failure('forbidden', DEACTIVATED)
  const { user_sid } = known
  await changeUser(
    actor,
    user_sid,
    { access, email: person.email, is_active: 1 },
    { external_id },
  ).catch((e) =>
    // a new address that somebody has here is not taken over
    e instanceof NameTaken
      ? changeUser(actor, user_sid, { access, is_active: 1 }, { external_id })
      : Promise.reject(e),
  )
  return user_sid
}

/** Deactivates a user whom the identity provider no longer lets in, and ends all sessions. */
async function end(actor: ReturnType<typeof providerActor>, user_sid: string) {
  await changeUser(actor, user_sid, { is_active: 0 }).catch(async (e) => {
    // the last administrator keeps the user, but no session
    if (!(e instanceof Failure)) throw e
    await endSessions(actor.ctx, user_sid)
  })
}
