import type { TokenClaims } from '@switchroom/contract'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { type Ended, endedKey, sessionKey } from './tokens.ts'

type Store = Pick<Context, 'live' | 'tokens'>

/** Signs a token and lets it in. */
export async function beginSession({ live, tokens }: Store, claims: TokenClaims) {
  const token = await tokens.sign(claims)
  await live.set(sessionKey(claims.user_sid), token, tokens.lifetime_seconds)
  return token
}

/**
 * Ends every session of a user at once, for stock servers beside us too. With `keep`, the session that
 * asked goes on. Inside a transaction, give it the store of that transaction (`live.within`).
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
 * One transaction whose change these users' sessions must not outlive. When they cannot be ended nothing
 * changes; and they are ended once more after it, for whoever signed in on what was true before.
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

export type Standing = 'open' | 'ended' | 'kept'

/** Whether a good token still stands. Throws when the store cannot be asked. */
export async function standing({ live }: Store, claims: Partial<TokenClaims>): Promise<Standing> {
  const user_sid = claims.user_sid!
  const [open, record] = await live.get(sessionKey(user_sid), endedKey(user_sid))
  if (!open) return 'ended'
  if (!record) return 'open'
  const ended = JSON.parse(record) as Ended
  if (ended.keep && ended.keep === claims.jti) return 'kept'
  const issued = claims.iat_ms ?? (claims.iat ?? 0) * 1000
  return issued > ended.before ? 'open' : 'ended'
}

/** Whether sessions of this user were ended after a moment, in milliseconds: what one of them began then is void. */
export async function endedSince({ live }: Pick<Context, 'live'>, user_sid: string, at: number) {
  const [record] = await live.get(endedKey(user_sid))
  return record !== undefined && (JSON.parse(record) as Ended).before >= at
}
