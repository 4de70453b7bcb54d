import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'

const HOUR_MS = 3_600_000
/** Time for which ended sessions are kept, to tell known places from new ones. */
const KEPT_MS = 90 * 24 * HOUR_MS

/** Deletes sessions that ended long ago, and leftovers of users who no longer exist. */
export async function purgeSessions(db: Db, now = Date.now()) {
  await db
    .deleteFrom('switchroom_sessions')
    .where('ends_at', '<', now - KEPT_MS)
    .execute()
  for (const table of ['switchroom_sessions', 'switchroom_session_ends'] as const)
    await db
      .deleteFrom(table)
      .where('user_sid', 'not in', db.selectFrom('users').select('user_sid'))
      .execute()
  await db.deleteFrom('switchroom_program_tokens').where('expires_at', '<', now).execute()
  await db
    .deleteFrom('switchroom_program_grants')
    .where('session_sid', 'not in', db.selectFrom('switchroom_sessions').select('session_sid'))
    .execute()
  // nobody has connected them within a day
  await db
    .deleteFrom('switchroom_programs')
    .where('is_self_registered', '=', 1)
    .where('created_at', '<', new Date(now - 24 * HOUR_MS).toISOString())
    .where('program_sid', 'not in', db.selectFrom('switchroom_program_grants').select('client_id'))
    .execute()
}

/** Purges sessions, and answers kept for a day, once an hour. */
export const startSessionPurge = ({ db, log }: Pick<Context, 'db' | 'log'>) =>
  every(
    HOUR_MS,
    async () => {
      await purgeSessions(db)
      const { forgetOldCreations } = await import('../../http/creations.ts')
      await forgetOldCreations(db)
    },
    { onError: (err) => log.error({ err }, 'old sessions could not be deleted') },
  )
