import { errorCode } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { endSession, endSessions } from '../../http/sessions.ts'
import { activeSettings } from '../../http/single-sign-on.ts'
import * as identities from '../../users/provisioning/identities.ts'
import { logOutUri } from './addresses.ts'
import { providerOf } from './provider.ts'
import * as providerSessions from './provider-sessions.ts'

/** Ends this session, or all of the user's. Resolves to where the browser logs out at the identity provider. */
export async function logOut(
  ctx: Context,
  { user_sid, session_sid }: Scope,
  everywhere: boolean,
): Promise<string | null> {
  const came = await providerSessions.originOf(ctx.db, user_sid!, session_sid)
  if (everywhere) {
    await endSessions(ctx, user_sid!)
    await providerSessions.removeAll(ctx.db, user_sid!)
  } else if (came) await providerSessions.end(ctx, came)
  else await endSession(ctx, user_sid!, session_sid!)
  if (!came) return null
  const settings = await activeSettings(ctx)
  // logged out here in any case
  const provider = settings && (await providerOf(ctx, settings).catch(() => undefined))
  const id_token = ctx.box.open(came.sealed_id_token)
  return provider?.endSession(id_token || undefined, logOutUri(ctx)) ?? null
}

const SEEN_SECONDS = 900

/** Ends the sessions that a logout token names. Throws 400 for a token that is not valid. */
export async function backchannelLogout(ctx: Context, logout_token: string) {
  const wrong = () => invalidField('logout_token', 'This logout token is not valid')
  const settings = await activeSettings(ctx)
  if (!settings) throw wrong()
  const provider = await providerOf(ctx, settings)
  const { sub, sid, jti } = await provider.readLogoutToken(logout_token).catch((e) => {
    ctx.log.info({ code: errorCode(e) }, 'a logout token was refused')
    throw wrong()
  })
  const seen = `switchroom:logout-token:${ctx.box.digest(jti)}`
  const [used] = await ctx.live.get(seen)
  if (used) throw wrong()
  if (sid !== undefined)
    for (const came of await providerSessions.fromSession(ctx.db, provider.issuer, sid))
      await providerSessions.end(ctx, came)
  else await endAll(ctx, provider.issuer, sub!)
  await ctx.live.set(seen, '1', SEEN_SECONDS)
}

async function endAll(ctx: Context, issuer: string, subject: string) {
  const digest = identities.subjectDigest(issuer, subject)
  const identity = await identities.withSubject(ctx.db, digest)
  if (!identity) return
  await endSessions(ctx, identity.user_sid)
  await providerSessions.removeAll(ctx.db, identity.user_sid)
}
