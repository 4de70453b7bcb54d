import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { toStore } from '../stored.ts'

let t: TestApp
let sid: string
beforeAll(async () => {
  t = await testApp()
  sid = randomUUID()
  // stored by a stock server, when an administrator adds one below an account without naming it again
  await t.db
    .insertInto('speech_credentials')
    .values({
      speech_credential_sid: sid,
      vendor: 'voxist',
      use_for_stt: 1,
      credential: toStore(t.ctx.box, { vendor: 'voxist', config: { api_key: 'k' } }),
    })
    .execute()
})
afterAll(() => t.close())

const below = (account: string) => `/Accounts/${account}/SpeechCredentials`
const status = async (...sent: Parameters<typeof t.request>) =>
  (await t.request(...sent)).statusCode
const listSids = async (who: string, path: string) =>
  ((await t.request(who, 'GET', path)).json() as { speech_credential_sid: string }[]).map(
    (c) => c.speech_credential_sid,
  )

it('is visible to administrators only', async () => {
  const { a1, a2, b1, sp1, sp2 } = t.sids
  for (const [who, account, provider] of [
    ['a1', a1, sp1],
    ['a2', a2, sp1],
    ['sp1', a1, sp1],
    ['b1', b1, sp2],
    ['sp2', b1, sp2],
  ] as const) {
    const provided = `/ServiceProviders/${provider}/SpeechCredentials`
    for (const path of [below(account), provided]) {
      expect(await listSids(who, path)).not.toContain(sid)
      expect(await status(who, 'GET', `${path}/${sid}`)).toBe(404)
      expect(await status(who, 'GET', `${path}/${sid}/test`)).toBe(404)
      expect(await status(who, 'PUT', `${path}/${sid}`, { use_for_stt: 0 })).toBe(404)
      expect(await status(who, 'DELETE', `${path}/${sid}`)).toBe(404)
    }
  }
})

it('can be read, tested, changed and deleted by them under an account', async () => {
  const path = below(t.sids.a1)
  expect(await listSids('admin', path)).toContain(sid)
  const one = `${path}/${sid}`
  const shown = (await t.request('admin', 'GET', one)).json()
  expect(shown).toMatchObject({ account_sid: null, service_provider_sid: null, vendor: 'voxist' })
  expect(await status('admin', 'GET', `${one}/test`)).toBe(200)
  // as read, and as the stock portal sends it: with the owners that it is at
  expect(await status('admin', 'PUT', one, shown)).toBe(204)
  const at = { account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
  expect(await status('admin', 'PUT', one, { ...shown, ...at, use_for_stt: 0 })).toBe(204)
  expect((await t.request('admin', 'GET', one)).json().use_for_stt).toBe(0)
  expect(await status('admin', 'PUT', one, { ...shown, account_sid: t.sids.b1 })).toBe(400)
  expect(await status('admin', 'DELETE', one)).toBe(204)
})

it('belongs to the account when it is added here', async () => {
  const body = { vendor: 'voxist', api_key: 'k', use_for_stt: 1, account_sid: null }
  const added = await t.request('admin', 'POST', below(t.sids.a1), body)
  expect(added.statusCode).toBe(201)
  expect(await listSids('a1', below(t.sids.a1))).toContain(added.json().sid)
})
