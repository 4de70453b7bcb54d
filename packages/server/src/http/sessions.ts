import { createHash, randomUUID } from 'node:crypto'
import type { SessionMethod, TokenClaims } from '@switchroom/contract'
import type { SelectQueryBuilder } from 'kysely'
import { batchesOf } from '../db/batches.ts'
import { skipExisting } from '../db/dialect.ts'
import type { Db, Tables } from '../db/open.ts'
import { sharedTransaction } from '../db/shared.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from './context.ts'
import { isNewPlace, mailNewPlace } from './new-place.ts'
import type { RequestMeta, Scope } from './scope.ts'
import { sessionKey } from './tokens.ts'

export type Store = Pick<Context, 'db' | 'live' | 'tokens'>
type From = Pick<RequestMeta, 'ip' | 'user_agent'>

export type SessionStart = {
  method: SessionMethod
  meta: From
  /** Set if the token was signed before the session began. */
  session_sid?: string
}

/** Starts a session and resolves to its token. */
export async function beginSession(
  ctx: Store & Pick<Context, 'config' | 'mail' | 'log'>,
  claims: TokenClaims,
  { method, meta, session_sid = randomUUID() }: SessionStart,
) {
  const { db, tokens, config } = ctx
  const began_at = tokens.now()
  const until = began_at + config.session_seconds * 1000
  const { token, expires_at } = await tokens.sign(claims, { session_sid, until })
  const isNew = ctx.mail !== undefined && (await isNewPlace(db, claims.user_sid, meta))
  await db
    .insertInto('switchroom_sessions')
    .values({
      session_sid,
      user_sid: claims.user_sid,
      method,
      began_at,
      ip: meta.ip,
      user_agent: meta.user_agent ?? '',
      last_seen_at: began_at,
      last_ip: meta.ip,
      ends_at: expires_at,
      ended_at: null,
      force_change: claims.force_change ? 1 : 0,
    })
    .execute()
  await allow(ctx, claims.user_sid, token)
  if (isNew)
    mailNewPlace(ctx, claims.user_sid, meta).catch((err) =>
      ctx.log.error({ err }, 'log-in from a new place could not be mailed'),
    )
  return token
}

/** Adds a user to the platform's allow-list: stock servers accept any valid token of a user on it. */
async function allow({ live, tokens }: Store, user_sid: string, token: string) {
  if (live.isPlatforms) await live.set(sessionKey(user_sid), token, tokens.lifetime_seconds)
}

/** Signs another token of a session. Undefined if the session has ended or has reached its longest life. */
export async function renewSession(
  ctx: Store & Pick<Context, 'config'>,
  session_sid: string,
  claims: TokenClaims,
) {
  const { db, tokens, config } = ctx
  const session = await db
    .selectFrom('switchroom_sessions')
    .select('began_at')
    .where('session_sid', '=', session_sid)
    .executeTakeFirst()
  const until = Number(session?.began_at ?? 0) + config.session_seconds * 1000
  const { token, expires_at } = await tokens.sign(claims, { session_sid, until })
  if (expires_at <= tokens.now()) return undefined
  const renewed = await db
    .updateTable('switchroom_sessions')
    .set({ ends_at: expires_at })
    .where('session_sid', '=', session_sid)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (renewed.numUpdatedRows === 0n) return undefined
  await allow(ctx, claims.user_sid, token)
  return token
}

/**
 * Ends one session of a user, if it is open. With the last one that is open the user also leaves the platform's
 * allow-list: a stock server knows users there, not sessions. False if it was not open. Inside a transaction, as for
 * `endSessions`.
 */
export async function endSession(store: Store, user_sid: string, session_sid: string) {
  const { db, tokens } = store
  const now = tokens.now()
  const ended = await db
    .updateTable('switchroom_sessions')
    .set({ ended_at: now })
    .where('session_sid', '=', session_sid)
    .where('user_sid', '=', user_sid)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return false
  if (!(await isLoggedIn(db, user_sid, now)))
    await endAllSessions(store, [user_sid], { programs: true })
  return true
}

/** True if the user has an open session other than a program's. */
const isLoggedIn = async (db: Db, user_sid: string, now: number) =>
  (await db
    .selectFrom('switchroom_sessions')
    .select('session_sid')
    .where('user_sid', '=', user_sid)
    .where('method', '!=', 'program')
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Ends every session of a user at once, on stock servers beside us too. With `keep`, that session stays, freed of a
 * forced password change. In a transaction, pass the transaction as `db`, and its store (`live.within`).
 */
export const endSessions = (store: Store, user_sid: string, keep?: Keep) =>
  endAllSessions(store, [user_sid], keep)

type Keep = {
  session_sid?: string | undefined
  /** Keeps the programs that the user connected, which outlive a log-out. */
  programs?: true
}

async function endAllSessions({ db, live, tokens }: Store, users: string[], keep?: Keep) {
  const ended_at = tokens.now()
  for (const batch of batchesOf(users)) {
    await db
      .insertInto('switchroom_session_ends')
      .values(batch.map((user_sid) => ({ user_sid, ended_at })))
      .$call(skipExisting(db))
      .execute()
    await db
      .updateTable('switchroom_session_ends')
      .set({ ended_at })
      .where('user_sid', 'in', batch)
      .execute()
    await db
      .updateTable('switchroom_sessions')
      .set({ ended_at })
      .where('user_sid', 'in', batch)
      .where('session_sid', '!=', keep?.session_sid ?? '')
      .$if(keep?.programs ?? false, (update) => update.where('method', '!=', 'program'))
      .where('ended_at', 'is', null)
      .execute()
    if (live.isPlatforms && !keep?.session_sid) await live.remove(...batch.map(sessionKey))
  }
  if (keep?.session_sid)
    await db
      .updateTable('switchroom_sessions')
      .set({ force_change: 0 })
      .where('session_sid', '=', keep.session_sid)
      .execute()
}

/**
 * Runs one transaction whose change must also end these users' sessions. If they cannot be ended, nothing
 * changes. They are ended again after the commit, for log-ins that raced the transaction.
 */
export function endingSessions<T>(
  ctx: Store,
  users: string[],
  change: (tx: Db) => Promise<T>,
  options: { lock?: string; keep?: Keep } = {},
) {
  const { keep, ...lock } = options
  return endingSessionsIn(
    ctx,
    (end) =>
      (users.length > 0 ? transaction : sharedTransaction)(
        ctx.db,
        async (tx) => {
          const done = await change(tx)
          await end(tx, users)
          return done
        },
        lock,
      ),
    keep,
  )
}

/** The same for a change that runs its own transaction, in which it calls `end`. */
export async function endingSessionsIn<T>(
  ctx: Store,
  change: (end: (tx: Db, users: string[]) => Promise<void>) => Promise<T>,
  keep?: Keep,
) {
  const ended: string[] = []
  const result = await change(async (tx, users) => {
    await endAllSessions({ ...ctx, db: tx, live: ctx.live.within(tx) }, users, keep)
    for (const sid of users) ended.push(sid)
  })
  await endAllSessions(ctx, ended, keep)
  return result
}

/** The session of a token. Stock servers give theirs no id, so a digest of the token is taken. */
export const sidOf = (claims: Partial<TokenClaims>, token: string) =>
  claims.jti ?? `stock:${createHash('sha256').update(token).digest('base64url').slice(0, 30)}`

export const issuedAt = (claims: Partial<TokenClaims>) => (claims.iat ?? 0) * 1000

/** True if this user's sessions were ended at or after `at` (ms), which voids what such a session started then. */
export async function endedSince(db: Db, user_sid: string, at: number) {
  const row = await db
    .selectFrom('switchroom_session_ends')
    .select('ended_at')
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  return row !== undefined && Number(row.ended_at) >= at
}

/** True if the session or API key of a caller is gone: for long work, checked after it was let in. */
export async function hasEnded(db: Db, { session_sid, api_key_sid }: Scope) {
  if (session_sid)
    return !(await db
      .selectFrom('switchroom_sessions')
      .select('session_sid')
      .where('session_sid', '=', session_sid)
      .where('ended_at', 'is', null)
      .executeTakeFirst())
  if (api_key_sid)
    return !(await db
      .selectFrom('api_keys')
      .select('api_key_sid')
      .where('api_key_sid', '=', api_key_sid)
      .executeTakeFirst())
  return false
}

type Grants = SelectQueryBuilder<Tables, 'switchroom_program_grants', { session_sid: string }>

/** Ends the sessions of programs that were granted so. */
export const endProgramSessions = (
  { db, tokens }: Pick<Store, 'db' | 'tokens'>,
  which: (grants: Grants) => Grants,
) =>
  db
    .updateTable('switchroom_sessions')
    .set({ ended_at: tokens.now() })
    .where('ended_at', 'is', null)
    .where(
      'session_sid',
      'in',
      which(db.selectFrom('switchroom_program_grants').select('session_sid')),
    )
    .execute()
