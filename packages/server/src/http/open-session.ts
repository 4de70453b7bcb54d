import type { TokenClaims } from '@switchroom/contract'
import { skipExisting } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import type { Context } from './context.ts'
import { storeLastSeen } from './last-seen.ts'
import { issuedAt, type Store, sidOf } from './sessions.ts'
import { sessionKey } from './tokens.ts'

const SEEN_MS = 60_000

/**
 * Current session of a verified token, with the user and account as they are in the database. One query. Undefined if
 * there is no such user. Throws if a store is unavailable.
 */
export async function findSession(
  { db, live, tokens }: Store,
  claims: Partial<TokenClaims> & { user_sid: string },
  token: string,
  ip: string,
  /** True for a program's session: stock servers do not know those. */
  isProgram = false,
) {
  const { user_sid } = claims
  const session_sid = sidOf(claims, token)
  const [row, isAllowed] = await Promise.all([
    read(db, user_sid, session_sid),
    // a stock server ends sessions by removing the key
    live.isPlatforms && !isProgram
      ? live.get(sessionKey(user_sid)).then(([open]) => open !== undefined)
      : true,
  ])
  if (!row) return undefined
  const now = tokens.now()
  // every token of ours has a row: one without was signed before an upgrade, or its row is gone
  const isUnseen = row.session_sid === null && !claims.jti
  const isKnown =
    (row.session_sid !== null && row.ended_at === null) ||
    (isUnseen && issuedAt(claims) > Number(row.all_ended_at ?? 0))
  const isOpen = isAllowed && isKnown
  const isAdopted = isOpen && isUnseen
  if (isAdopted) await adoptStock(db, { session_sid, user_sid, ip, claims, now })
  const last_seen_at = isAdopted ? now : Number(row.last_seen_at)
  return { ...row, session_sid, isOpen, last_seen_at, force_change: row.force_change === 1 }
}

/** Stores when and from where a session was seen, at most once a minute. */
export async function touchSession(
  ctx: Pick<Context, 'db' | 'tokens' | 'memory' | 'log'>,
  session: { session_sid: string; last_seen_at: number },
  ip: string,
) {
  const now = ctx.tokens.now()
  const { session_sid, last_seen_at } = session
  if (last_seen_at >= now - SEEN_MS) return
  // also for requests that share this read
  session.last_seen_at = now
  await storeLastSeen(ctx, session_sid, () =>
    ctx.db
      .updateTable('switchroom_sessions')
      .set({ last_seen_at: now, last_ip: ip })
      .where('session_sid', '=', session_sid)
      .execute(),
  )
}

const read = (db: Db, user_sid: string, session_sid: string) =>
  db
    .selectFrom('users')
    .leftJoin('switchroom_sessions as s', (join) =>
      join.on((eb) =>
        eb.and([eb('s.session_sid', '=', session_sid), eb('s.user_sid', '=', user_sid)]),
      ),
    )
    .leftJoin('switchroom_session_ends as e', (join) =>
      join.on((eb) => eb('e.user_sid', '=', user_sid)),
    )
    .leftJoin('accounts', 'accounts.account_sid', 'users.account_sid')
    .select([
      's.session_sid',
      's.ended_at',
      's.last_seen_at',
      's.force_change',
      'e.ended_at as all_ended_at',
      'users.is_active as user_is_active',
      'users.account_sid',
      'users.service_provider_sid',
      'accounts.is_active as account_is_active',
      'accounts.service_provider_sid as account_provider_sid',
    ])
    .where('users.user_sid', '=', user_sid)
    .executeTakeFirst()

type Stock = {
  session_sid: string
  user_sid: string
  ip: string
  claims: Partial<TokenClaims>
  now: number
}

/** Records the session of a stock server's token, so that it is listed and can be ended alone. */
const adoptStock = (db: Db, { session_sid, user_sid, ip, claims, now }: Stock) =>
  db
    .insertInto('switchroom_sessions')
    .values({
      session_sid,
      user_sid,
      method: 'platform_server',
      began_at: issuedAt(claims),
      ip,
      user_agent: '',
      last_seen_at: now,
      last_ip: ip,
      ends_at: (claims.exp ?? 0) * 1000,
      ended_at: null,
      force_change: 0,
    })
    .$call(skipExisting(db))
    .execute()
