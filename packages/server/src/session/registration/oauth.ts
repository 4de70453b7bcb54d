import { randomUUID } from 'node:crypto'
import { OAUTH_PROVIDER_NAMES, type OAuthProvider, type Registered, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { refuseDeactivated } from '../../http/authenticate.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import * as users from '../../users/queries.ts'
import * as userWrites from '../../users/writes.ts'
import { logInUser, personalOf } from '../second-factor/log-in.ts'
import type { Person } from './account.ts'
import type { Identity } from './identity.ts'
import {
  type ActorContext,
  type Body,
  completeRegistration,
  invitation,
  newAnswer,
  ownScope,
  person,
  providerFor,
} from './registration.ts'
import * as signIns from './sign-ins.ts'

/** Starts a session, as log-in does. */
async function signIn(
  { ctx, meta }: ActorContext,
  user_sid: string,
  { method, pristine }: { method: OAuthProvider; pristine: boolean },
): Promise<Registered> {
  const user = await users.withSid(ctx.db, user_sid)
  if (!user) throw new Failure('forbidden', t('This user is not allowed to log in.'))
  await refuseDeactivated(ctx, user)
  if (!user.account_sid) throw new Failure('conflict', t('user exists with no associated account'))
  const { claims, token: jwt } = await logInUser(ctx, user, { method, meta })
  const answer = await users.signedIn(ctx.db, user_sid)
  return {
    ...newAnswer,
    ...answer,
    ...(await personalOf(ctx, claims)),
    jwt,
    pristine,
    account_sid: user.account_sid,
    provider_userid: answer.provider_userid ?? undefined,
  }
}

/** The user with this identity at the provider. */
async function knownUser({ ctx, meta }: ActorContext, provider: OAuthProvider, identity: Identity) {
  const { db } = ctx
  const known = await users.withProvider(db, provider, identity.id)
  if (known || !identity.formerly || !identity.email_verified) return known
  // a stock API server stored a name that can be reused: the address must match too
  const former = await users.withProvider(db, provider, identity.formerly)
  if (former?.email.toLowerCase() !== identity.email) return undefined
  const { user_sid } = former
  const own = ownScope((await users.withSid(db, user_sid))!)
  await audited({ ctx, meta, scope: own }, users.auditSubject(own, user_sid), (tx) =>
    userWrites.updateAll(tx, own, [user_sid], { provider_userid: identity.id }),
  )
  return former
}

/** Completes an OAuth sign-in: logs in a known user, or registers a new one. */
export async function register(
  actorContext: ActorContext,
  provider: OAuthProvider,
  body: Body,
): Promise<Registered> {
  const { ctx, meta, scope } = actorContext
  const { identity, locationBeforeAuth } = await signIns.finish(ctx, provider, meta.browser, {
    code: body.oauth2_code!,
    state: body.oauth2_state!,
    iss: body.oauth2_iss,
  })
  const caller = person(scope)
  const known = await knownUser(actorContext, provider, identity)
  if (known && caller)
    throw new Failure('conflict', t('account already exists for this oauth user/provider'))
  if (known) return signIn(actorContext, known.user_sid, { method: provider, pristine: false })
  const { email } = identity
  if (!identity.email_verified)
    throw new Failure(
      'forbidden',
      t('Your email address is not verified at {provider}.', {
        provider: OAUTH_PROVIDER_NAMES[provider],
      }),
    )
  if (locationBeforeAuth === '/sign-in' && !caller)
    throw new Failure('not_found', t('registering a new account not allowed from the sign-in page'))
  const owner = caller ?? (await providerFor(ctx, body.service_provider_sid))
  const inviteCode = await invitation(actorContext, body)
  const one: Person = {
    user_sid: randomUUID(),
    account_sid: caller?.account_sid ?? randomUUID(),
    service_provider_sid: owner.service_provider_sid,
    email,
    provider,
    provider_userid: identity.id,
  }
  await completeRegistration(actorContext, one, { replaces: caller?.user_sid, inviteCode }, () =>
    invalidField('email', t('user already exists with email {email}', { email })),
  )
  return signIn(actorContext, one.user_sid, {
    method: provider,
    pristine: caller === undefined,
  })
}
