import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { refuseDeactivated } from '../../http/authenticate.ts'
import { Failure, found } from '../../http/failure.ts'
import { networkOf } from '../../http/network.ts'
import type { Handlers } from '../../http/serve.ts'
import { beginSession, endedSince } from '../../http/sessions.ts'
import { refuseLocalLogIn } from '../../http/single-sign-on.ts'
import { hourly } from '../../live/hourly.ts'
import * as users from '../../users/queries.ts'
import { addFactor, removeFactor } from '../second-factor/change.ts'
import { claimsFor, signedIn } from '../second-factor/log-in.ts'
import { caller, requireProof } from '../second-factor/proof.ts'
import * as factors from '../second-factor/queries.ts'
import { openTicket } from '../second-factor/tickets.ts'
import * as passkeys from './queries.ts'
import {
  creationOptions,
  logInOptions,
  proofOptions,
  refused,
  secondStepOptions,
  verifyAssertion,
  verifyNew,
} from './webauthn.ts'

const MAX_PASSKEYS = 20
/** Challenges per network and hour that strangers may request. */
const CHALLENGES = 600

export const passkeyRoutes: Handlers<typeof api.passkeys> = {
  async beginAdd({ body, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    if ((await factors.passkeysOf(ctx.db, user.user_sid)).length >= MAX_PASSKEYS)
      throw new Failure(
        'conflict',
        t('You can have {MAX_PASSKEYS} passkeys. Remove one first.', { MAX_PASSKEYS }),
      )
    await requireProof(actor, user, body)
    return creationOptions(ctx, user)
  },

  async add({ body: { name, credential }, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    const { user_sid } = user
    const { begun_at, ...verified } = await verifyNew(ctx, user_sid, credential)
    // a new password since then voids the beginning of a stolen session
    if (await endedSince(ctx.db, user_sid, begun_at)) throw refused()
    if (await passkeys.withCredential(ctx.db, verified.credential_id)) throw refused()
    const passkey_sid = randomUUID()
    const created_at = new Date().toISOString()
    const added = await addFactor(actor, user, `The passkey “${name}”`, (tx) =>
      passkeys.insert(tx, { passkey_sid, user_sid, name, created_at, ...verified }),
    )
    return { passkey_sid, ...added }
  },

  // without proof: a name gives nobody access
  async rename({ params: { passkey_sid }, body: { name }, ...actor }) {
    const { user_sid } = await caller(actor.ctx, actor.scope)
    await audited(actor, factors.auditSubject(user_sid), async (tx) => {
      found((await passkeys.rename(tx, user_sid, passkey_sid, name)) || undefined, t('passkey'))
    })
  },

  async remove({ params: { passkey_sid }, body, ...actor }) {
    const { ctx, scope } = actor
    const user = await caller(ctx, scope)
    const { user_sid } = user
    const own = await factors.passkeysOf(ctx.db, user_sid)
    const passkey = found(
      own.find((p) => p.passkey_sid === passkey_sid),
      t('passkey'),
    )
    await requireProof(actor, user, body)
    await removeFactor(actor, user, `The passkey “${passkey.name}”`, (tx) =>
      passkeys.remove(tx, user_sid, passkey_sid),
    )
  },

  async beginProof({ scope, ctx }) {
    return proofOptions(ctx, (await caller(ctx, scope)).user_sid)
  },

  async beginSecondStep({ body: { ticket }, ctx }) {
    const { user } = await openTicket(ctx, ticket)
    return secondStepOptions(ctx, user.user_sid, ticket)
  },

  async beginLogIn({ ctx, meta }) {
    const retry_after = await hourly(ctx, `passkey-challenges:${networkOf(meta.ip)}`, CHALLENGES)
    if (retry_after > 0)
      throw new Failure('too_many', t('Too many requests, please try again later.'), {
        retry_after,
      })
    return logInOptions(ctx)
  },

  async logIn({ body: { passkey }, ctx, meta }) {
    const user_sid = await verifyAssertion(ctx, ctx.db, passkey, { purpose: 'log in' })
    const user = found(await users.withSid(ctx.db, user_sid), t('user'))
    await refuseDeactivated(ctx, user)
    await refuseLocalLogIn(ctx, user)
    if (user.force_change)
      throw new Failure(
        'forbidden',
        t('You must create a new password. Log in with your password.'),
      )
    const claims = await claimsFor(ctx.db, user)
    return signedIn(ctx, claims, await beginSession(ctx, claims, { method: 'passkey', meta }))
  },
}
