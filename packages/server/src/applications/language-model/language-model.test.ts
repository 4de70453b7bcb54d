import { api, MASK, MODEL_KEY_AGAIN, NO_LANGUAGE_MODEL } from '@switchroom/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { languageModel, MODEL_KEY } from '../../../test/stand-ins/language-model.ts'

let t: TestApp
let model: Awaited<ReturnType<typeof languageModel>>
let says: Parameters<typeof languageModel>[0]
beforeAll(async () => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.1/32' })
  model = await languageModel((asked) => says(asked))
})
afterAll(async () => {
  await t.close()
  await model.close()
})
beforeEach(async () => {
  says = () => 'ready'
  await t.db.deleteFrom('switchroom_language_models').execute()
  await t.db.deleteFrom('switchroom_audit').execute()
})

const path = (rest = '', of: 'a1' | 'a2' | 'b1' = 'a1') =>
  `/Accounts/${t.sids[of]}/LanguageModel${rest}`
const body = (more: object = {}) => ({
  ...{ url: `${model.url}/v1`, model: 'small', api_key: MODEL_KEY },
  ...more,
})
const set = (more: object = {}, who = 'a1') => t.request(who, 'PUT', path(), body(more))
const view = async (who = 'a1') => (await t.request(who, 'GET', path())).json()
const test = async (who = 'a1') => t.request(who, 'POST', path('/Test'))

describe('the language model of an account', () => {
  it('is off until it is set, and again once it is removed', async () => {
    const off = { url: null, model: null, api_key: null }
    expect(await view()).toMatchObject(off)
    const refused = await test()
    expect([refused.statusCode, refused.json().msg]).toEqual([422, NO_LANGUAGE_MODEL])
    expect((await set()).statusCode).toBe(204)
    expect(await view()).toMatchObject({ url: `${model.url}/v1`, model: 'small', api_key: MASK })
    expect((await set({ url: '', model: null })).statusCode).toBe(204)
    expect(await view()).toMatchObject(off)
    expect(await t.db.selectFrom('switchroom_language_models').selectAll().execute()).toEqual([])
  })

  it('keeps its key encrypted, and shows it to nobody', async () => {
    await set()
    await set({ api_key: MASK, model: 'other' })
    await set({ api_key: undefined, model: 'third' })
    const row = await t.db
      .selectFrom('switchroom_language_models')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(row.sealed_key).not.toContain(MODEL_KEY)
    expect(t.ctx.box.open(row.sealed_key!)).toBe(MODEL_KEY)
    const seen = [
      (await t.request('admin', 'GET', path())).body,
      (await t.request('admin', 'GET', '/AuditLog?page=1&kind=language_model')).body,
      (await test()).body,
    ].join()
    expect(seen).toContain('third')
    expect(seen).not.toContain(MODEL_KEY)
    await set({ api_key: '' })
    expect(await view()).toMatchObject({ api_key: null })
  })

  it('sends its key to no other server than it was entered for', async () => {
    await set()
    for (const api_key of [MASK, undefined]) {
      const refused = await set({ url: 'https://elsewhere.example.com/v1', api_key })
      expect([refused.statusCode, refused.json().issues]).toEqual([
        ...[400, [{ path: ['api_key'], message: MODEL_KEY_AGAIN }]],
      ])
    }
    expect((await set({ url: `${model.url}/v2`, api_key: MASK })).statusCode).toBe(204)
    const moved = { url: 'https://elsewhere.example.com/v1', api_key: 'new' }
    expect((await set(moved)).statusCode).toBe(204)
  })

  it.each([
    ['url', 'ftp://example.com'],
    ['url', 'https://me:secret@example.com/v1'],
    ['model', ''],
    ['api_key', 'two\nlines'],
  ])('refuses the %s %j', async (field, value) => {
    const refused = await set({ [field]: value })
    expect([refused.statusCode, refused.json().issues?.[0].path]).toEqual([400, [field]])
  })

  it('is not changed by somebody who has seen an older one', async () => {
    const { version } = await view()
    const change = (name: string) =>
      t.request('a1', 'PUT', path(), body({ model: name }), { 'if-match': `"${version}"` })
    expect((await change('first')).statusCode).toBe(204)
    expect((await change('late')).statusCode).toBe(409)
    expect(await view()).toMatchObject({ model: 'first' })
  })

  it('goes with its account', async () => {
    const { sid } = (
      await t.request('admin', 'POST', '/Accounts', {
        name: 'short',
        service_provider_sid: t.sids.sp1,
      })
    ).json()
    const own = `/Accounts/${sid}`
    expect((await t.request('admin', 'PUT', `${own}/LanguageModel`, body())).statusCode).toBe(204)
    expect((await t.request('admin', 'DELETE', own)).statusCode).toBe(204)
    expect(await t.db.selectFrom('switchroom_language_models').selectAll().execute()).toEqual([])
  })
})

describe('its test', () => {
  it('tells what it answered, how long it took and what it cost', async () => {
    await set()
    const { statusCode, body: text } = await test()
    expect([statusCode, JSON.parse(text)]).toMatchObject([
      ...[200, { is_ok: true, text: 'ready', tokens: 100, ms: expect.any(Number) }],
    ])
    expect(model.asked().at(-1)).toMatchObject({ model: 'small', max_tokens: 50 })
    const { data } = await t.as('a1')(api.audit.list, {
      query: { page: 1, kind: 'language_model' },
    })
    expect(data.map(({ action }) => action)).toEqual(['send', 'update'])
  })

  it.each<[string, Parameters<typeof languageModel>[0], RegExp]>([
    ['a failure', () => 500, /the vendor answered 500/],
    ['no JSON', () => ({ body: 'what?' }), /unexpected answer/],
    ['another protocol', () => ({ body: '{"reply":"hello"}' }), /unexpected answer/],
    ['nothing', () => '  ', /answered nothing/],
    ['more than anybody reads', () => 'a'.repeat(100_000), /too large/],
  ])('tells of %s', async (_, answer, reason) => {
    says = answer
    await set()
    expect((await test()).json()).toMatchObject({
      is_ok: false,
      text: expect.stringMatching(reason),
    })
  })

  it('reaches no internal network', async () => {
    await set({ url: 'http://10.0.0.1/v1' })
    expect((await test()).json()).toMatchObject({
      is_ok: false,
      text: expect.stringContaining('internal network'),
    })
  })

  it('takes the key out of what a server says of it', async () => {
    says = () => `The key is ${MODEL_KEY}`
    await set()
    expect((await test()).json().text).toBe(`The key is ${MASK}`)
    const { body: text } = await set({ api_key: `${MODEL_KEY}2` }).then(() => test())
    expect(text).toContain('invalid api key')
    expect(text).not.toContain(`${MODEL_KEY}2`)
  })

  it('says so if the key was encrypted with another secret', async () => {
    await set()
    await t.db
      .updateTable('switchroom_language_models')
      .set({ sealed_key: '{"iv":"00"}' })
      .execute()
    expect((await test()).json()).toMatchObject({
      is_ok: false,
      text: expect.stringContaining('entered again'),
    })
  })

  it('is one of a limited number', async () => {
    await set()
    const key = `switchroom:model-tests:${t.sids.a1}:${Math.floor(Date.now() / 3_600_000)}`
    await t.ctx.live.set(key, '60', 60)
    const refused = await test()
    await t.ctx.live.remove(key)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([
      ...[429, expect.any(String)],
    ])
  })

  it('is not for those who only view', async () => {
    await set({ url: `${model.url}/v1?api-key=canary-in-address` })
    expect(JSON.stringify(await view())).toContain('canary-in-address')
    expect(JSON.stringify(await view('a1-viewer'))).not.toContain('canary')
    expect((await test('a1-viewer')).statusCode).toBe(403)
    expect((await set({}, 'a1-viewer')).statusCode).toBe(403)
    expect(await view('a1-viewer')).toMatchObject({ api_key: MASK })
  })
})
