import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { verify } from '../../audit/verify.ts'
import { beginSession } from '../../http/sessions.ts'
import { endAllByCommand } from './end-all.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const CALLERS = ['admin', 'sp1', 'a1', 'b1', 'a1-viewer']
const statuses = () =>
  Promise.all(CALLERS.map(async (who) => (await t.request(who, 'GET', '/Users/me')).statusCode))
const logInAgain = () =>
  beginSession(
    t.ctx,
    {
      scope: 'admin',
      user_sid: t.users.admin!,
      permissions: [],
      is_view_only: false,
      force_change: false,
    },
    { method: 'password', meta: { ip: '192.0.2.1', user_agent: 'test' } },
  )

it('ends the sessions of every user for good, and leaves a trace', async () => {
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  await t.ctx.live.set('switchroom:link', 'x', 60)
  await endAllByCommand(t.ctx)
  expect(await statuses()).toEqual([401, 401, 401, 401, 401])
  const again = await logInAgain()
  expect((await t.request(again, 'GET', '/Users/me')).statusCode).toBe(200)
  expect(await statuses()).toEqual([401, 401, 401, 401, 401])
  // Redis is not in a dump, so its contents have not come back
  if (!t.redis) expect(await t.ctx.live.get('switchroom:link')).toEqual([undefined])
  const entries = await t.db
    .selectFrom('switchroom_audit')
    .select(['action', 'kind', 'name', 'actor', 'ip'])
    .where('kind', '=', 'session')
    .execute()
  expect(entries).toEqual([
    {
      ...{ action: 'delete', kind: 'session', name: 'All sessions' },
      ...{ actor: 'end-sessions command', ip: 'command line' },
    },
  ])
  expect(await verify(t.db)).toMatchObject({ whole: true })
})

it('keeps API keys', async () => {
  await endAllByCommand(t.ctx)
  expect((await t.request('a1-key', 'GET', '/Applications')).statusCode).toBe(200)
})
