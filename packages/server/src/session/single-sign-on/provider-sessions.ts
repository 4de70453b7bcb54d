import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { endSession, endSessions } from '../../http/sessions.ts'
import type { Verified } from './provider.ts'

type Table = Tables['switchroom_provider_sessions']

const DAYS_30 = 30 * 86_400_000
/** Longer ID tokens are not kept; the provider then asks before it logs the user out. */
const MAX_ID_TOKEN = 20_000

const digestOf = (issuer: string, sid: string) =>
  createHash('sha256')
    .update(JSON.stringify([issuer, sid]))
    .digest('hex')

/**
 * Remembers which session of the identity provider a session of ours comes from, before it begins. Resolves
 * to the sid that it must have.
 */
export async function keep(
  { db, box }: Context,
  { user_sid, verified: { claims, id_token } }: { user_sid: string; verified: Verified },
) {
  const now = Date.now()
  await db
    .deleteFrom('switchroom_provider_sessions')
    .where('begun_at', '<', now - DAYS_30)
    .execute()
  const session_sid = randomUUID()
  await db
    .insertInto('switchroom_provider_sessions')
    .values({
      provider_session_sid: randomUUID(),
      session_sid,
      user_sid,
      provider_session: typeof claims.sid === 'string' ? digestOf(claims.iss, claims.sid) : null,
      sealed_id_token: box.seal(id_token.length > MAX_ID_TOKEN ? '' : id_token),
      begun_at: now,
    })
    .execute()
  return session_sid
}

/** True if a session's origin is still stored: the identity provider has not ended it. */
export const isKept = async (db: Db, session_sid: string) =>
  (await db
    .selectFrom('switchroom_provider_sessions')
    .select('session_sid')
    .where('session_sid', '=', session_sid)
    .executeTakeFirst()) !== undefined

/** Origin of a session. Rows of older versions do not name a session that began with a second factor. */
export async function originOf(db: Db, user_sid: string, session_sid: string | undefined) {
  const rows = await db
    .selectFrom('switchroom_provider_sessions')
    .selectAll()
    .where('user_sid', '=', user_sid)
    .orderBy('begun_at', 'desc')
    .execute()
  return rows.find((row) => row.session_sid === session_sid) ?? rows.find((row) => !row.session_sid)
}

/** Sessions that came from a session of the identity provider. */
export const fromSession = (db: Db, issuer: string, sid: string) =>
  db
    .selectFrom('switchroom_provider_sessions')
    .selectAll()
    .where('provider_session', '=', digestOf(issuer, sid))
    .execute()

/** Ends one session; all of the user's where it is not known which. */
export async function end(
  ctx: Context,
  { session_sid, user_sid, provider_session_sid }: Selectable<Table>,
) {
  // before the session ends: one that is about to begin must not find it
  await ctx.db
    .deleteFrom('switchroom_provider_sessions')
    .where('provider_session_sid', '=', provider_session_sid)
    .execute()
  if (session_sid) await endSession(ctx, user_sid, session_sid)
  else await endSessions(ctx, user_sid)
}

export const removeAll = (db: Db, user_sid: string) =>
  db.deleteFrom('switchroom_provider_sessions').where('user_sid', '=', user_sid).execute()
