import type { TokenClaims } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from './context.ts'
import { Ended, endedKey, sessionKey } from './tokens.ts'

type Store = Pick<Context, 'live' | 'tokens'>

/** Signs a session token and adds it to the platform's allow-list. */
export async function beginSession({ live, tokens }: Store, claims: TokenClaims) {
  const token = await tokens.sign(claims)
  await live.set(sessionKey(claims.user_sid), token, tokens.lifetime_seconds)
  return token
}

/**
 * Ends every session of a user at once, on stock servers beside us too. With `keep`, that session goes on.
 * Inside a transaction, pass the transaction's store (`live.within`).
 */
export async function endSessions(
  { live, tokens }: Store,
  user_sid: string,
  keep?: { jti: string | undefined },
) {
  const ended: Ended = { before: Date.now(), ...(keep?.jti && { keep: keep.jti }) }
  await live.set(endedKey(user_sid), JSON.stringify(ended), tokens.lifetime_seconds + 60)
  if (!ended.keep) await live.remove(sessionKey(user_sid))
}

/**
 * Runs one transaction whose change must also end these users' sessions. If they cannot be ended, nothing
 * changes. They are ended again after the commit, for log-ins that raced the transaction.
 */
export async function endingSessions<T>(
  ctx: Pick<Context, 'db'> & Store,
  users: string[],
  change: (tx: Db) => Promise<T>,
  options: { lock?: string } = {},
) {
  const result = await transaction(
    ctx.db,
    async (tx) => {
      const done = await change(tx)
      const store = { ...ctx, live: ctx.live.within(tx) }
      for (const sid of users) await endSessions(store, sid)
      return done
    },
    options,
  )
  for (const sid of users) await endSessions(ctx, sid)
  return result
}

export type SessionStatus = 'open' | 'ended' | 'kept'

/** Whether a verified token's session is still open. Throws when the store is unavailable. */
export async function sessionStatus(
  { live }: Store,
  claims: Partial<TokenClaims>,
): Promise<SessionStatus> {
  const user_sid = claims.user_sid!
  const [open, record] = await live.get(sessionKey(user_sid), endedKey(user_sid))
  if (!open) return 'ended'
  if (!record) return 'open'
  const ended = Ended.parse(JSON.parse(record))
  if (ended.keep && ended.keep === claims.jti) return 'kept'
  const issued = claims.iat_ms ?? (claims.iat ?? 0) * 1000
  return issued > ended.before ? 'open' : 'ended'
}

/**
 * Whether this user's sessions were ended at or after `at` (ms), which voids what such a session started
 * then.
 */
export async function endedSince({ live }: Pick<Context, 'live'>, user_sid: string, at: number) {
  const [record] = await live.get(endedKey(user_sid))
  return record !== undefined && Ended.parse(JSON.parse(record)).before >= at
}
