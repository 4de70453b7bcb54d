import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'

it('answers those who only read while somebody else’s transaction goes on', async () => {
  const t = await testApp({}, undefined, undefined, { onFile: true })
  const long = Date.now() - 600_000
  await t.db.updateTable('switchroom_sessions').set({ last_seen_at: long }).execute()
  const { promise, resolve: commit } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = t.db.transaction().execute(async (tx) => {
    // on MariaDB, which has more than one writer, these rows
    await tx.updateTable('switchroom_sessions').set({ last_ip: 'x' }).execute()
    await tx.updateTable('api_keys').set({ last_used: null }).execute()
    begin()
    await promise
  })
  await begun
  for (const who of ['a1', 'a1-viewer', 'a1-key', 'a1', 'a1-key'])
    expect((await t.request(who, 'GET', '/Applications?page=1')).statusCode, who).toBe(200)
  commit()
  await writing
  const unseen = async () => ({
    sessions: await t.db
      .selectFrom('switchroom_sessions')
      .select('session_sid')
      .where('user_sid', 'in', [t.users.a1!, t.users['a1-viewer']!])
      .where('last_seen_at', '=', long)
      .execute(),
    keys: await t.db
      .selectFrom('api_keys')
      .select('api_key_sid')
      .where('account_sid', '=', t.sids.a1!)
      .where('last_used', 'is', null)
      .execute(),
  })
  await expect.poll(unseen).toEqual({ sessions: [], keys: [] })
  await t.close()
})
