import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { verify } from '../audit/verify.ts'
import { NotReset, resetPassword } from './reset-password.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const refusal = (name: string) =>
  resetPassword(t.ctx, name).then(
    () => expect.fail('it was reset'),
    (e) => {
      expect(e).toBeInstanceOf(NotReset)
      return (e as NotReset).message
    },
  )

it('sets a one-time password, ends sessions, and leaves an audit entry without a secret', async () => {
  const { user_sid } = await t.as('admin')(api.users.create, {
    body: { name: 'Lost', email: 'lost@example.org', initial_password: 'long enough 1' },
  })
  const stored = () =>
    t.ctx.db
      .selectFrom('users')
      .select(['hashed_password', 'force_change'])
      .where('user_sid', '=', user_sid)
      .executeTakeFirstOrThrow()
  const before = await stored()
  for (const name of ['Lost', 'lost@example.org', user_sid]) {
    const { password } = await resetPassword(t.ctx, name)
    expect(password).toMatch(/^[\w-]{16}$/)
    const after = await stored()
    expect(after.force_change).toBe(1)
    expect(after.hashed_password).not.toBe(before.hashed_password)
    const entry = await t.ctx.db
      .selectFrom('switchroom_audit')
      .selectAll()
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ action: 'update', kind: 'user', sid: user_sid })
    expect([entry.actor, entry.ip]).toEqual(['reset-password command', 'command line'])
    expect(JSON.stringify(entry)).not.toContain(password)
    expect(entry.after_values).toContain('hashed_password')
    expect(JSON.stringify(entry)).not.toContain('argon2')
  }
  expect(await verify(t.ctx.db)).toMatchObject({ whole: true })
})

it('removes the second factors if asked to, and only then', async () => {
  const user_sid = t.users.admin!
  const created_at = new Date().toISOString()
  await t.db
    .insertInto('switchroom_totp')
    .values({ user_sid, sealed_secret: 'x', last_step: 0, created_at })
    .execute()
  await t.db
    .insertInto('switchroom_recovery_codes')
    .values({ user_sid, code_digest: 'x', created_at })
    .execute()
  expect(await resetPassword(t.ctx, 'admin')).toMatchObject({ has_second_factor: true })
  const reset = await resetPassword(t.ctx, 'admin', { secondFactor: true })
  expect(reset).toMatchObject({ has_second_factor: false })
  expect(await t.db.selectFrom('switchroom_recovery_codes').selectAll().execute()).toEqual([])
  const entries = await t.db
    .selectFrom('switchroom_audit')
    .select(['kind', 'actor'])
    .where('kind', '=', 'second_factor')
    .execute()
  expect(entries).toEqual([{ kind: 'second_factor', actor: 'reset-password command' }])
})

it('reports an unknown or ambiguous user, and one without a local password', async () => {
  expect(await refusal('nobody')).toMatch(/^No user named "nobody"\. Administrators: .*admin/)
  const { user_sid } = await t.as('admin')(api.users.create, {
    body: { name: 'twin', email: 'twin@example.org', initial_password: 'long enough 1' },
  })
  const change = (values: { name?: string; provider?: string }) =>
    t.ctx.db.updateTable('users').set(values).where('user_sid', '=', user_sid).execute()
  await change({ provider: 'github' })
  expect(await refusal('twin')).toMatch(/^twin logs in with github/)
  const { user_sid: other } = await t.as('admin')(api.users.create, {
    body: { name: 'other', email: 'other@example.org', initial_password: 'long enough 1' },
  })
  await change({ name: 'other' })
  const twice = await refusal('other')
  expect(twice).toMatch(/^More than one user is named "other"\. Use a sid instead:/)
  expect(twice).toContain(other)
  expect(twice).toContain(user_sid)
})
