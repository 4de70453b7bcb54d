import type { Db } from '../db/open.ts'
import type { Context } from './context.ts'
import { neighborhoodOf } from './network.ts'
import type { RequestMeta } from './scope.ts'
import { describeUserAgent } from './user-agent.ts'

type From = Pick<RequestMeta, 'ip' | 'user_agent'>

/** Number of a user's sessions that tell the user's usual places. */
const COMPARED = 200

const recentSessions = (db: Db, user_sid: string) =>
  db
    .selectFrom('switchroom_sessions')
    .select(['ip', 'user_agent'])
    .where('user_sid', '=', user_sid)
    .orderBy('began_at', 'desc')
    .limit(COMPARED)
    .execute()

/** True if this user has had a session from near this address. */
export async function hasSessionNear(db: Db, user_sid: string, ip: string) {
  const sessions = await recentSessions(db, user_sid)
  return sessions.some((s) => neighborhoodOf(s.ip) === neighborhoodOf(ip))
}

/** The same for every version of a browser or other client. */
const kindOf = (user_agent: string) => {
  const { browser, client, system } = describeUserAgent(user_agent)
  return `${browser ?? client?.split(' ')[0]} ${system}`
}

const clientOf = (user_agent: string) => {
  const { browser, client, system } = describeUserAgent(user_agent)
  const text = [browser ?? client, system].filter(Boolean).join(' on ')
  return (client ? `${text}, not a browser` : text) || 'an unknown client'
}

/**
 * True if a user comes from a new place: neither the network nor the browser was seen before. Call it before the
 * session is recorded. The first log-in ever is not new.
 */
export async function isNewPlace(db: Db, user_sid: string, { ip, user_agent = '' }: From) {
  const sessions = await recentSessions(db, user_sid)
  return (
    sessions.length > 0 &&
    sessions.every(
      (s) =>
        neighborhoodOf(s.ip) !== neighborhoodOf(ip) && kindOf(s.user_agent) !== kindOf(user_agent),
    )
  )
}

/** Tells a user by email of a log-in from a new place. */
export async function mailNewPlace(
  { db, mail, config, tokens }: Pick<Context, 'db' | 'mail' | 'config' | 'tokens'>,
  user_sid: string,
  { ip, user_agent = '' }: From,
) {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()
  if (!user || !mail) return
  const at = new Date(tokens.now()).toISOString().slice(0, 16).replace('T', ' ')
  const link = config.base_url ? `:\n\n${config.base_url}/internal/security` : '.'
  const text = `Hi ${user.name},\n\nSomeone just logged in as you from a new place:\n\nWhen: ${at} UTC\nFrom: ${ip}\nWith: ${clientOf(user_agent)}\n\nIf it was you, there is nothing to do. If not, change your password and end that session${link}\n`
  await mail({ to: user.email, subject: 'New login to your account', text })
}
