import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Scope } from '../../http/scope.ts'
import * as users from '../../users/queries.ts'
import { requireProof } from './proof.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

it('wants a fresh log-in of a user who has neither password nor second factor', async () => {
  const user_sid = t.users.a1!
  const session = await t.db
    .selectFrom('switchroom_sessions')
    .selectAll()
    .where('user_sid', '=', user_sid)
    .executeTakeFirstOrThrow()
  await t.db
    .updateTable('users')
    .set({ provider: 'google' })
    .where('user_sid', '=', user_sid)
    .execute()
  const user = (await users.withSid(t.db, user_sid))!
  const scope: Scope = {
    role: 'account',
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    user_sid,
    session_sid: session.session_sid,
    view_only: false,
    force_change: false,
  }
  const meta = { ip: '203.0.113.1', request_id: 'x', version: undefined, user_agent: undefined }
  const prove = () => requireProof({ scope, meta, ctx: t.ctx }, user, {})
  await prove()
  await t.db
    .updateTable('switchroom_sessions')
    .set({ began_at: Number(session.began_at) - 11 * 60_000 })
    .where('session_sid', '=', session.session_sid)
    .execute()
  await expect(prove()).rejects.toMatchObject({ code: 'forbidden' })
})
