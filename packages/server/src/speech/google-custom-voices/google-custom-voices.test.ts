import { api, VOICE_CLONING_KEY_MAX_BYTES } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const service_key = { client_email: 'a@example.com', private_key: 'x' }
const credential = async (who: 'a1' | 'a2' | 'b1', label: string | null = null, more = {}) =>
  (
    await t.as(who)(api.accountSpeechCredentials.create, {
      params: { account_sid: t.sids[who] },
      body: { vendor: 'google', service_key, label, ...more },
    })
  ).sid
const sharedCredential = async (label: string | null = null) =>
  (
    await t.as('sp1')(api.providerSpeechCredentials.create, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { vendor: 'google', service_key, label },
    })
  ).sid
const add = async (who: string, speech_credential_sid: string, more: object = {}) =>
  (
    await t.as(who)(api.googleCustomVoices.create, {
      body: { speech_credential_sid, name: 'voice', model: 'm', ...more },
    })
  ).sid
const voiceParams = (sid: string) => ({ google_custom_voice_sid: sid })
const view = (sid: string, who = 'a1') =>
  t.as(who)(api.googleCustomVoices.view, { params: voiceParams(sid) })
const list = async (who: string, query: object) =>
  (await t.as(who)(api.googleCustomVoices.list, { query })).map((v) => v.google_custom_voice_sid)
const upload = (sid: string, content: BlobPart | undefined, who = 'a1', field = 'file') => {
  const form = new FormData()
  form.append('note', 'some other field')
  if (content !== undefined) form.append(field, new Blob([content]), 'key.txt')
  return t.request(who, 'POST', `/GoogleCustomVoices/${sid}/VoiceCloningKey`, form)
}
const stored = async (sid: string) =>
  (
    await t.db
      .selectFrom('google_custom_voices')
      .select('voice_cloning_key')
      .where('google_custom_voice_sid', '=', sid)
      .executeTakeFirstOrThrow()
  ).voice_cloning_key

it('adds, shows, changes and deletes', async () => {
  const speech_credential_sid = await credential('a1')
  const sid = await add('a1', speech_credential_sid, { model: '', use_voice_cloning_key: true })
  expect(await view(sid)).toEqual({
    google_custom_voice_sid: sid,
    speech_credential_sid,
    name: 'voice',
    model: '',
    reported_usage: 'REALTIME',
    use_voice_cloning_key: 1,
  })
  const body = { name: 'other', reported_usage: 'OFFLINE', use_voice_cloning_key: 0 } as const
  await t.as('sp1')(api.googleCustomVoices.update, { params: voiceParams(sid), body })
  expect(await view(sid)).toMatchObject({ ...body, model: '' })
  await t.as('a1')(api.googleCustomVoices.remove, { params: voiceParams(sid) })
  await expect(view(sid)).rejects.toMatchObject({ status: 404 })
})

it.each([
  ['missing speech_credential_sid', { speech_credential_sid: undefined }],
  ['Invalid speech_credential_sid', { speech_credential_sid: crypto.randomUUID() }],
  ['missing field name', { name: undefined }],
  ['missing field model', { model: undefined }],
])('says %s', async (message, wrong) => {
  const speech_credential_sid = await credential('a1')
  const body = { speech_credential_sid, name: 'voice', model: 'm', ...wrong }
  const answer = await t.request('a1', 'POST', '/GoogleCustomVoices', body)
  expect([answer.statusCode, answer.json().msg]).toEqual([400, message])
})

it('accepts only Google’s usages and credentials', async () => {
  const sid = await credential('a1')
  await expect(add('a1', sid, { reported_usage: 'NEVER' })).rejects.toMatchObject({ status: 400 })
  const other = await credential('a1', null, { vendor: 'soniox', api_key: 'k' })
  await expect(add('a1', other)).rejects.toMatchObject({ status: 400 })
})

describe('a cloning key', () => {
  it('is stored completely, and shown as a prefix', async () => {
    const sid = await add('a1', await credential('a1'))
    const key = `canary${'ä'.repeat(100_000)}end`
    for (const who of ['a1', 'sp1', 'admin'])
      expect((await upload(sid, key, who)).statusCode).toBe(204)
    expect(await stored(sid)).toBe(key)
    const { voice_cloning_key } = await view(sid)
    expect(voice_cloning_key).toBe(`${key.slice(0, 100)}...`)
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1 } })
    expect(JSON.stringify(data)).not.toContain('canary')
    expect(data.filter((e) => e.kind === 'google_custom_voice')).toHaveLength(2)
    expect(t.lines.join('\n')).not.toContain('canary')
  })

  it.each([
    ['too much', 'x'.repeat(VOICE_CLONING_KEY_MAX_BYTES + 1), 413],
    ['no text', new Uint8Array([0xff, 0xfe, 0]), 400],
    ['NUL', 'a\0b', 400],
    ['nothing', '', 400],
    ['no file', undefined, 400],
  ])('cannot be %s', async (_, content, status) => {
    const sid = await add('a1', await credential('a1'))
    await upload(sid, 'before')
    const answer = await upload(sid, content)
    expect(answer.statusCode, answer.body).toBe(status)
    expect(answer.json()).toMatchObject({ msg: expect.any(String) })
    expect(await stored(sid)).toBe('before')
  })

  it('is uploaded as a form file', async () => {
    const sid = await add('a1', await credential('a1'))
    expect((await upload(sid, 'x', 'a1', 'other')).json()).toMatchObject({
      issues: [{ path: ['file'] }],
    })
    const path = `/GoogleCustomVoices/${sid}/VoiceCloningKey`
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const [body, headers] of [
      [{ file: 'x' }, {}],
      ['--b\r\nbroken', type],
      ['', type],
      ['x', { 'content-type': 'multipart/form-data' }],
    ] as const)
      expect((await t.request('a1', 'POST', path, body, headers)).statusCode).toBe(400)
    // everywhere else forms are refused as before
    const elsewhere = await t.request('a1', 'POST', '/Clients', '--b--', type)
    expect([elsewhere.statusCode, elsewhere.json().msg]).toEqual([400, 'Send JSON'])
  })

  it('is accepted only from its owner', async () => {
    const sid = await add('a1', await credential('a1'))
    for (const who of ['a2', 'b1', 'sp2'])
      expect((await upload(sid, 'x', who)).statusCode).toBe(404)
    const common = await add('sp1', await sharedCredential())
    expect((await upload(common, 'x')).statusCode).toBe(403)
    expect(await stored(sid)).toBeNull()
    expect(await stored(common)).toBeNull()
  })
})

it('lists by credential, or by owner and label', async () => {
  const [mine, labelled, other, theirs] = [
    await credential('a1'),
    await credential('a1', 'l'),
    await credential('a2', 'l'),
    await credential('b1', 'l'),
  ]
  const common = await sharedCredential('l')
  const voice: Record<string, string> = {}
  for (const [name, who, sid] of [
    ['mine', 'a1', mine],
    ['labelled', 'a1', labelled],
    ['other', 'a2', other],
    ['theirs', 'b1', theirs],
    ['common', 'sp1', common],
  ] as const)
    voice[name] = await add(who, sid, { name })
  const { a1, a2, b1, sp1 } = t.sids
  expect(await list('a1', { speech_credential_sid: mine })).toEqual([voice.mine])
  expect(await list('a1', { speech_credential_sid: common })).toEqual([voice.common])
  await expect(list('a1', { speech_credential_sid: other })).rejects.toMatchObject({ status: 404 })
  expect(await list('a1', {})).toEqual([voice.mine])
  expect(await list('a1', { label: 'l' })).toEqual([voice.common, voice.labelled])
  expect(await list('a1', { label: 'l', account_sid: b1 })).toEqual([voice.common, voice.labelled])
  expect(await list('sp1', { label: 'l' })).toEqual([voice.common])
  expect(await list('sp1', { label: 'l', account_sid: a2 })).toEqual([voice.common, voice.other])
  await expect(list('sp1', { account_sid: b1 })).rejects.toMatchObject({ status: 400 })
  expect(await list('admin', { label: 'l', account_sid: b1 })).toEqual([voice.theirs])
  expect(await list('admin', { label: 'l', service_provider_sid: sp1 })).toEqual([voice.common])
  expect(await list('admin', { account_sid: a1 })).toEqual([voice.mine])
  await expect(list('admin', { label: 'l' })).rejects.toMatchObject({
    status: 400,
    message: 'missing account_sid or service_provider_sid in query parameters',
  })
})

it('lets an account see shared voices, but not change them', async () => {
  const common = await sharedCredential()
  const sid = await add('sp1', common)
  expect(await view(sid)).toMatchObject({ name: 'voice' })
  const refused = { status: 403, message: 'Insufficient privileges' }
  await expect(add('a1', common)).rejects.toMatchObject(refused)
  const params = voiceParams(sid)
  await expect(
    t.as('a1')(api.googleCustomVoices.update, { params, body: { name: 'x' } }),
  ).rejects.toMatchObject(refused)
  await expect(t.as('a1')(api.googleCustomVoices.remove, { params })).rejects.toMatchObject(refused)
  expect(await view(sid)).toMatchObject({ name: 'voice' })
})
