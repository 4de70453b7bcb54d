import { MAX_LISTED_SESSIONS, type Session } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { describeUserAgent } from '../../http/user-agent.ts'

const ofUser = (db: Db, user_sid: string, now: number) =>
  db
    .selectFrom('switchroom_sessions')
    .where('user_sid', '=', user_sid)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)

const iso = (ms: number) => new Date(Number(ms)).toISOString()

/** The open sessions of a user, which the caller may see. */
export async function list(
  db: Db,
  user_sid: string,
  { current, now }: { current: string | undefined; now: number },
): Promise<Session[]> {
  const rows = await ofUser(db, user_sid, now)
    .leftJoin('switchroom_program_grants as g', 'g.session_sid', 'switchroom_sessions.session_sid')
    .selectAll('switchroom_sessions')
    .select(['g.name', 'g.program_use', 'g.access'])
    .orderBy('began_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute()
  return rows.map((row) => ({
    session_sid: row.session_sid,
    method: row.method,
    began_at: iso(row.began_at),
    last_seen_at: iso(row.last_seen_at),
    ip: row.ip,
    last_ip: row.last_ip,
    ...describeUserAgent(row.user_agent),
    program:
      row.name !== null && row.program_use && row.access
        ? { name: row.name, use: row.program_use, access: row.access }
        : null,
    is_current: row.session_sid === current,
  }))
}
