import { commandActor } from '../../audit/command.ts'
import { record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { sessionKey } from '../../http/tokens.ts'

/**
 * Ends every session in a restored database. Those that were open at the time of the backup may have been
 * ended since, because a device was stolen, and must not come back. Reset links and unfinished log-ins go
 * with the live state. Run it in a transaction.
 */
export async function endAllSessions(tx: Db, ended_at: number) {
  await tx.deleteFrom('switchroom_live').execute()
  await tx
    .updateTable('switchroom_sessions')
    .set({ ended_at })
    .where('ended_at', 'is', null)
    .execute()
  // sessions of stock servers may have no row
  await tx.deleteFrom('switchroom_session_ends').execute()
  await tx
    .insertInto('switchroom_session_ends')
    .columns(['user_sid', 'ended_at'])
    .expression((eb) =>
      eb.selectFrom('users').select(['user_sid', eb.val(ended_at).as('ended_at')]),
    )
    .execute()
}

/** The same as a command: leaves an audit entry, and ends sessions on stock servers too. */
export async function endAllByCommand({ db, live }: Pick<Context, 'db' | 'live'>) {
  const users = await transaction(db, async (tx) => {
    await endAllSessions(tx, Date.now())
    const entry = { action: 'delete', kind: 'session', sid: 'all', name: 'All sessions' } as const
    const owners = { account_sid: null, service_provider_sid: null }
    await record(tx, commandActor('end-sessions'), [
      { ...entry, ...owners, before: null, after: null },
    ])
    return tx.selectFrom('users').select('user_sid').execute()
  })
  if (live.isPlatforms) for (const { user_sid } of users) await live.remove(sessionKey(user_sid))
}
