import { type api, CODE_WRONG, t } from '@switchroom/contract'
import { z } from 'zod'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import { liftCodesLockOut } from '../../http/password.ts'
import {
  ADMINISTRATORS,
  hasSecondFactor,
  isSecondFactorRequired,
} from '../../http/second-factor.ts'
import type { Handlers } from '../../http/serve.ts'
import { endedSince, endingSessionsIn } from '../../http/sessions.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { refuseManaging } from '../../users/checks.ts'
import * as users from '../../users/queries.ts'
import { verifyAssertion } from '../passkeys/webauthn.ts'
import { addFactor, removeFactor, resetFactors } from './change.ts'
import { requireRecoveryCode, requireTotp } from './check.ts'
import { isRequiredOf, logInAfterSecondStep, signedIn } from './log-in.ts'
import { mailUser } from './mails.ts'
import { caller, requireProof } from './proof.ts'
import * as factors from './queries.ts'
import { closeTicket, openTicket } from './tickets.ts'
import { newSecret, otpauthUri, stepOf } from './totp.ts'

/** A secret that waits for its first code. */
const Pending = z.object({ secret: z.string(), begun_at: z.number() })
const PENDING_SECONDS = 600
const pendingKey = (user_sid: string) => `switchroom:totp-pending:${user_sid}`

const APP = t('An authenticator app')
const noApp = () => new Failure('not_found', t('You have no authenticator app'))

/** The user that a manager asks for. Others' own factors are theirs to change, with a proof. */
async function managed({ ctx, scope }: Actor & { ctx: Context }, user_sid: string) {
  found(await users.find(ctx.db, scope, user_sid), t('user'))
  return found(await users.withSid(ctx.db, user_sid), t('user'))
}

const policySubject = (owner: string) => ({
  kind: 'second_factor_policy' as const,
  sid: owner || 'system',
  read: async (tx: Context['db']) => ({
    is_required: await isSecondFactorRequired(tx, owner),
    ...(owner && { service_provider_sid: owner }),
  }),
})

/** Ends the sessions of users without a factor once one is required, one's own too: the next log-in asks for it. */
const savePolicy = (actor: Actor & { ctx: Context }, owner: string, is_required: boolean) =>
  endingSessionsIn(actor.ctx, (end) =>
    audited(actor, policySubject(owner), async (tx, before) => {
      await factors.savePolicy(tx, owner, is_required)
      if (is_required && !before?.is_required) await end(tx, await factors.without(tx, owner))
    }),
  )

async function requireProvider({ ctx, scope }: Actor & { ctx: Context }, sid: string) {
  found(await serviceProviders.find(ctx.db, scope, sid), t('service provider'))
}

export const secondFactorRoutes: Handlers<typeof api.secondFactor> = {
  async view({ scope, ctx }) {
    const user = await caller(ctx, scope)
    const { db } = ctx
    return {
      totp_created_at: (await factors.totpOf(db, user.user_sid))?.created_at ?? null,
      passkeys: await factors.passkeysOf(db, user.user_sid),
      recovery_codes_left: (await factors.recoveryCodesOf(db, user.user_sid)).length,
      is_required: await isRequiredOf(db, user),
      has_password: user.provider === 'local',
    }
  },

  async beginTotp({ body, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    await requireProof(actor, user, body)
    const secret = newSecret()
    const pending = ctx.box.seal(JSON.stringify({ secret, begun_at: Date.now() }))
    await ctx.live.set(pendingKey(user.user_sid), pending, PENDING_SECONDS)
    return { secret, otpauth_uri: otpauthUri(secret, user.name) }
  },

  async addTotp({ body: { code }, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    const { user_sid } = user
    const [kept] = await ctx.live.get(pendingKey(user_sid))
    const text = kept && ctx.box.open(kept)
    const pending = text ? Pending.parse(JSON.parse(text)) : undefined
    // a new password since then voids the beginning of a stolen session
    if (!pending || (await endedSince(ctx.db, user_sid, pending.begun_at)))
      throw new Failure('conflict', t('Setting up the app took too long. Start again.'))
    const step = stepOf(pending.secret, code)
    if (step === undefined) throw invalidField('code', CODE_WRONG)
    const added = await addFactor(actor, user, APP, (tx) =>
      factors.saveTotp(tx, {
        user_sid,
        sealed_secret: ctx.box.seal(pending.secret),
        last_step: step,
        created_at: new Date().toISOString(),
      }),
    )
    await ctx.live.remove(pendingKey(user_sid))
    return added
  },

  async removeTotp({ body, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    if (!(await factors.totpOf(ctx.db, user.user_sid))) throw noApp()
    await requireProof(actor, user, body)
    await removeFactor(actor, user, APP, (tx) => factors.removeTotp(tx, user.user_sid))
  },

  async newRecoveryCodes({ body, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    const { user_sid } = user
    if (!(await hasSecondFactor(ctx.db, user_sid)))
      throw new Failure('conflict', t('Add an authenticator app or a passkey first.'))
    await requireProof(actor, user, body)
    const recovery_codes = await audited(actor, factors.auditSubject(user_sid), (tx) =>
      factors.replaceRecoveryCodes(ctx, tx, user_sid),
    )
    mailUser(
      ctx,
      user,
      t('New recovery codes were made for your log-in as {name}.', { name: user.name }),
    )
    return { recovery_codes }
  },

  async logIn({ body: { ticket, code, recovery_code, passkey }, ctx, meta }) {
    const opened = await openTicket(ctx, ticket)
    const { user } = opened
    const { user_sid } = user
    if (passkey)
      await verifyAssertion(ctx, ctx.db, passkey, { purpose: 'second step', user_sid, ticket })
    else if (recovery_code) await requireRecoveryCode({ ctx, meta }, user, recovery_code)
    else if (code) await requireTotp({ ctx, meta }, user_sid, code)
    else throw invalidField('code', t('Enter the code'))
    await closeTicket(ctx, ticket)
    const { claims, token } = await logInAfterSecondStep(ctx, opened, meta)
    return signedIn(ctx, claims, token)
  },

  async ofUser({ params: { user_sid }, ...actor }) {
    const { db } = actor.ctx
    const user = await managed(actor, user_sid)
    return {
      has_totp: (await factors.totpOf(db, user_sid)) !== undefined,
      passkeys: (await factors.passkeysOf(db, user_sid)).length,
      recovery_codes_left: (await factors.recoveryCodesOf(db, user_sid)).length,
      is_required: await isRequiredOf(db, user),
    }
  },

  async reset({ params: { user_sid }, body, ...actor }) {
    const { ctx, scope } = actor
    const user = await managed(actor, user_sid)
    // a thief of this user's token must not get rid of the factors this way
    if (user_sid === scope.user_sid)
      throw new Failure('forbidden', t('Remove your own second factors on your Security page.'))
    refuseManaging(scope, user_sid)
    await requireProof(actor, await caller(ctx, scope), body)
    await resetFactors(actor, user)
    await liftCodesLockOut(ctx, user_sid)
  },

  async policy({ params: { service_provider_sid: sid }, ...actor }) {
    await requireProvider(actor, sid)
    return { is_required: await isSecondFactorRequired(actor.ctx.db, sid) }
  },

  async savePolicy({ params: { service_provider_sid: sid }, body: { is_required }, ...actor }) {
    await requireProvider(actor, sid)
    await savePolicy(actor, sid, is_required)
  },

  administratorPolicy: async ({ ctx }) => ({
    is_required: await isSecondFactorRequired(ctx.db, ADMINISTRATORS),
  }),

  async saveAdministratorPolicy({ body: { is_required }, ...actor }) {
    await savePolicy(actor, ADMINISTRATORS, is_required)
  },
}
