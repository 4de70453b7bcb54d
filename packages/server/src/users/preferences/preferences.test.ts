import { api } from '@switchroom/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const NONE = {
  time_zone: null,
  language: null,
  theme: null,
  hides_getting_started: null,
  file_separator: null,
  file_times: null,
  import_columns: null,
}
const view = (who: string) => t.as(who)(api.preferences.view, {})
const change = (who: string, body: object) => t.as(who)(api.preferences.update, { body })
const stored = async () =>
  (await t.db.selectFrom('switchroom_preferences').select('user_sid').execute())
    .map(({ user_sid }) => user_sid)
    .sort()

it('keeps what each person chose, view-only users as well', async () => {
  expect(await view('a1')).toEqual(NONE)
  await change('a1', { time_zone: 'Asia/Tokyo', hides_getting_started: true })
  await change('a1-viewer', { language: 'de', theme: 'dark' })
  await change('a1', { theme: 'light' })
  await change('admin', { time_zone: 'local' })
  expect(await view('a1')).toEqual({
    ...NONE,
    time_zone: 'Asia/Tokyo',
    language: null,
    theme: 'light',
    hides_getting_started: true,
  })
  expect(await view('a1-viewer')).toEqual({ ...NONE, language: 'de', theme: 'dark' })
  expect(await view('admin')).toEqual({ ...NONE, time_zone: 'local' })
  expect(await view('a2')).toEqual(NONE)
})

it('takes back what it returned, and what was never chosen', async () => {
  await change('a1', { time_zone: 'UTC', language: 'en', hides_getting_started: false })
  const before = await view('a1')
  await change('a1', before)
  expect(await view('a1')).toEqual(before)
  await change('a1', {})
  expect(await view('a1')).toEqual(before)
  await change('a1', NONE)
  expect(await view('a1')).toEqual(NONE)
})

it('keeps both changes of two that save at once', async () => {
  await Promise.all([change('a1', { theme: 'dark' }), change('a1', { language: 'de' })])
  expect(await view('a1')).toEqual({ ...NONE, theme: 'dark', language: 'de' })
})

it('has none for an API key', async () => {
  await expect(view('a1-key')).rejects.toMatchObject({ status: 404 })
  await expect(change('a1-key', { theme: 'dark' })).rejects.toMatchObject({ status: 404 })
  expect(await stored()).toEqual([])
})

it.each([
  ['time_zone', 'Mars/Olympus'],
  ['time_zone', '+05:30'],
  ['time_zone', ''],
  ['time_zone', `Etc/${'x'.repeat(100)}`],
  ['language', 'fr'],
  ['theme', 'pink'],
  ['hides_getting_started', 'no'],
  ['file_separator', '|'],
  ['file_times', 'UTC'],
])('refuses a %s of %j', async (field, value) => {
  await expect(change('a1', { [field]: value })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: [field] }] },
  })
  expect(await stored()).toEqual([])
})

it('remembers what headings stand for, by kind of import', async () => {
  const numbers = { Rufnr: 'number', Kunde: '' }
  await change('a1', { import_columns: { PhoneNumbers: numbers } })
  await change('a1', { theme: 'dark', file_separator: 'semicolon', file_times: 'own' })
  await change('a1', { import_columns: { Users: { Mail: 'email' } } })
  expect(await view('a1')).toEqual({
    ...NONE,
    theme: 'dark',
    file_separator: 'semicolon',
    file_times: 'own',
    import_columns: { PhoneNumbers: numbers, Users: { Mail: 'email' } },
  })
  await change('a1', { import_columns: null })
  expect((await view('a1')).import_columns).toBeNull()
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, 'name']))
  for (const wrong of [{ Numbers: {} }, { Users: { a: 1 } }, { Users: many }])
    await expect(change('a1', { import_columns: wrong })).rejects.toMatchObject({ status: 400 })
})

it('leaves the audit log alone', async () => {
  await change('a1', { theme: 'dark' })
  expect((await t.as('admin')(api.audit.list, { query: { page: 1 } })).data).toEqual([])
})

it('goes with its user, and with the users of an account', async () => {
  for (const who of ['a1', 'a1-viewer', 'a2', 'sp1']) await change(who, { theme: 'dark' })
  await t.as('admin')(api.users.remove, { params: { user_sid: t.users.a1! } })
  const left = ['a1-viewer', 'a2', 'sp1'].map((who) => t.users[who]!).sort()
  expect(await stored()).toEqual(left)
  const account = { account_sid: t.sids.a1, stripe_customer_id: null }
  for (const removed of t.ctx.onAccountRemoved) await removed(t.db, account)
  expect(await stored()).toEqual(left.filter((sid) => sid !== t.users['a1-viewer']))
})
