import {
  api,
  labelTaken,
  MASK,
  NOTHING_TO_UPDATE,
  UNREADABLE_CREDENTIAL,
} from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { configOf } from '../stored.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const { accountSpeechCredentials: ofAccount, providerSpeechCredentials: ofProvider } = api
type Body = { vendor: string } & Record<string, unknown>
const KEY = JSON.stringify({ client_email: 'a@example.com', private_key: 'private', x: 1 })

const add = async (who: 'a1' | 'a2' | 'b1', body: Body) =>
  (await t.as(who)(ofAccount.create, { params: { account_sid: t.sids[who] }, body })).sid
const addShared = async (body: Body, who = 'sp1') =>
  (
    await t.as(who)(ofProvider.create, {
      params: { service_provider_sid: t.sids.sp1 },
      body,
    })
  ).sid
const credentialParams = (sid: string) => ({ account_sid: t.sids.a1, speech_credential_sid: sid })
const view = (sid: string, who = 'a1') =>
  t.as(who)(ofAccount.view, { params: credentialParams(sid) })
const change = (sid: string, body: Record<string, unknown>, who = 'a1', version?: string) =>
  t.as(who)(ofAccount.update, { params: credentialParams(sid), body, version })
const row = (sid: string) =>
  t.db
    .selectFrom('speech_credentials')
    .selectAll()
    .where('speech_credential_sid', '=', sid)
    .executeTakeFirstOrThrow()
const config = async (sid: string) => configOf(t.ctx.box, await row(sid))
/** Stores a credential as a stock server does. */
const stock = async (vendor: string, blob: unknown, more: object = {}) => {
  const sid = crypto.randomUUID()
  const owner = { account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
  const credential = typeof blob === 'string' ? blob : t.ctx.box.seal(JSON.stringify(blob))
  await t.db
    .insertInto('speech_credentials')
    .values({ speech_credential_sid: sid, vendor, credential, ...owner, ...more })
    .execute()
  return sid
}

describe('adding', () => {
  it.each([
    ['google', {}, 'service_key', 'invalid json key: service_key is required'],
    [
      'google',
      { service_key: '{' },
      'service_key',
      'invalid google service account key - not JSON',
    ],
    [
      'google',
      { service_key: '{"a":1}' },
      'service_key',
      'invalid google service account key - not JSON',
    ],
    [
      'microsoft',
      { api_key: 'x' },
      'region',
      'invalid azure speech credential: region is required',
    ],
    [
      'deepgram',
      { use_for_stt: 1 },
      'api_key',
      'invalid deepgram speech credential: api_key is required',
    ],
    ['deepgramflux', {}, 'api_key', 'invalid deepgram flux speech credential: api_key is required'],
    [
      'elevenlabs',
      { api_key: 'x', use_for_tts: 1 },
      'model_id',
      'invalid elevenLabs speech credential: model_id is required',
    ],
    ['nvidia', {}, 'riva_server_uri', 'invalid riva server uri: riva_server_uri is required'],
    [
      'nuance',
      { client_id: 'x' },
      'secret',
      'invalid nuance speech credential: either entered client id and        secret or entered a nuance_tts_uri or nuance_stt_uri',
    ],
    [
      'aws',
      { access_key_id: 'x' },
      'secret_access_key',
      'invalid aws speech credential: secret_access_key is required',
    ],
    [
      'wellsaid',
      { api_key: MASK },
      'api_key',
      'invalid wellsaid speech credential: api_key is required',
    ],
    ['wellsaid', { api_key: { a: 1 } }, 'api_key', 'API key must be text'],
    [
      'rimelabs',
      { api_key: 'x', model_id: 'm', options: '[1]' },
      'options',
      'Extra options must be a JSON object',
    ],
    [
      'custom:acme',
      { use_for_tts: 1 },
      'custom_tts_url',
      'Text-to-speech needs an HTTP or a WS URL',
    ],
    ['custom:', {}, 'vendor', 'Enter the name'],
    [`custom:${'x'.repeat(26)}`, {}, 'vendor', 'Name can have at most 25 characters'],
    ['custom', {}, 'vendor', 'invalid or missing vendor: custom'],
    ['constructor', {}, 'vendor', 'invalid or missing vendor: constructor'],
    ['aws', { mode: 'cloud' }, 'mode', 'AWS has no mode cloud'],
    [
      'aws',
      { mode: 'assume_role' },
      'role_arn',
      'invalid aws speech credential: role_arn is required',
    ],
    ['cobalt', { cobalt_server_uri: '😀'.repeat(3_000) }, 'vendor', 'The credential is too long'],
  ])('%s %j is rejected on %s', async (vendor, body, field, message) => {
    await expect(add('a1', { vendor, ...body })).rejects.toMatchObject({
      status: 422,
      message,
      body: { issues: [{ path: [field] }] },
    })
  })

  it('stores nothing for omitted flags, the vendor’s presets, and options as text', async () => {
    const sid = await add('a1', {
      vendor: 'elevenlabs',
      api_key: ' k ',
      model_id: 'm',
      options: { a: 1 },
    })
    expect(await row(sid)).toMatchObject({ use_for_tts: null, use_for_stt: null, label: null })
    expect(await view(sid)).toMatchObject({
      use_for_tts: null,
      api_uri: 'api.elevenlabs.io',
      options: '{"a":1}',
      api_key: MASK,
    })
    expect(await config(sid)).toMatchObject({ api_key: 'k' })
  })

  it('ignores fields that the vendor does not have', async () => {
    const sid = await add('a1', {
      vendor: 'voxist',
      api_key: 'k',
      service_key: null,
      role_arn: 'x',
      constructor: 'y',
      credential: 'z',
    })
    expect(await config(sid)).toEqual({ api_key: 'k' })
  })

  it('belongs to the account in the path, or the one named under a provider', async () => {
    const sid = await t.as('sp1')(ofAccount.create, {
      params: { account_sid: t.sids.a1 },
      body: { vendor: 'voxist', api_key: 'k', account_sid: t.sids.a1 },
    })
    for (const account_sid of [t.sids.a2, t.sids.b1, crypto.randomUUID()])
      await expect(
        add('a1', { vendor: 'voxist', api_key: 'k', account_sid }),
      ).rejects.toMatchObject({ status: 400, body: { issues: [{ path: ['account_sid'] }] } })
    expect(await row(sid.sid)).toMatchObject({
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
    })
    const shared = await addShared({ vendor: 'voxist', api_key: 'k' })
    expect(await row(shared)).toMatchObject({ account_sid: null, service_provider_sid: t.sids.sp1 })
    const named = await addShared({ vendor: 'voxist', api_key: 'k', account_sid: t.sids.a2 })
    expect(await row(named)).toMatchObject({ account_sid: t.sids.a2 })
    const own = await addShared(
      { vendor: 'voxist', api_key: 'k', account_sid: t.sids.a1 },
      'a1-key',
    )
    expect(await row(own)).toMatchObject({ account_sid: t.sids.a1 })
    for (const who of ['sp1', 'admin'])
      await expect(
        addShared({ vendor: 'voxist', api_key: 'k', account_sid: t.sids.b1 }, who),
      ).rejects.toMatchObject({ status: 400, message: 'No such account' })
  })

  it('requires unique labels per vendor within an account and among shared ones', async () => {
    const body = { vendor: 'voxist', api_key: 'k', label: 'mine' }
    const refused = { status: 422, message: labelTaken('mine') }
    const tries = Array.from({ length: 6 }, () => add('a1', body))
    const made = (await Promise.allSettled(tries)).filter((r) => r.status === 'fulfilled')
    expect(made).toHaveLength(1)
    await expect(add('a1', body)).rejects.toMatchObject(refused)
    await add('a1', { ...body, vendor: 'soniox' })
    await add('a2', body)
    await addShared(body)
    await expect(addShared(body)).rejects.toMatchObject(refused)
    for (let i = 0; i < 2; i++) await add('a1', { ...body, label: '' })
  })
})

describe('listing', () => {
  it('shows an account its own and shared ones, and a provider the shared ones', async () => {
    const mine = await add('a1', { vendor: 'voxist', api_key: 'k', label: 'abc' })
    const other = await add('a2', { vendor: 'voxist', api_key: 'k' })
    const shared = await addShared({ vendor: 'custom:acme', auth_token: 'secret' })
    await add('b1', { vendor: 'voxist', api_key: 'k' })
    const below = async (who: string, query: object = {}, account_sid = t.sids.a1) => {
      const { data } = await t.as(who)(ofAccount.list, {
        params: { account_sid },
        query: { page: 1, ...query },
      })
      return data.map((c) => c.speech_credential_sid).sort()
    }
    const belowProvider = async (who: string, query: object = {}) => {
      const params = { service_provider_sid: t.sids.sp1 }
      const { data } = await t.as(who)(ofProvider.list, { params, query: { page: 1, ...query } })
      return data.map((c) => c.speech_credential_sid).sort()
    }
    const own = [mine, shared].sort()
    for (const who of ['a1', 'sp1', 'admin', 'a1-key']) expect(await below(who)).toEqual(own)
    expect(await belowProvider('a1')).toEqual(own)
    expect(await belowProvider('sp1')).toEqual([shared])
    expect(await belowProvider('admin')).toEqual([shared])
    for (const who of ['sp1', 'admin'])
      expect(await belowProvider(who, { all: 1 })).toEqual([mine, other, shared].sort())
    expect(await belowProvider('a1', { all: 1 })).toEqual(own)
    expect(await belowProvider('sp1', { account_sid: t.sids.a2 })).toEqual([other])
    expect(await belowProvider('a1', { account_sid: t.sids.a2 })).toEqual([])
    expect(await belowProvider('sp1', { account_sid: t.sids.b1 })).toEqual([])
    expect(await below('a1', { filter: 'AcM' })).toEqual([shared])
    expect(await below('a1', { filter: 'bc' })).toEqual([mine])
    expect(await below('a1', { filter: '%' })).toEqual([])
    const { data, total } = await t.as('a1')(ofAccount.list, {
      params: { account_sid: t.sids.a1 },
      query: { page: 1, page_size: 1 },
    })
    expect([total, data]).toMatchObject([
      2,
      [{ vendor: 'custom:acme', auth_token: MASK, account_name: null, account_sid: null }],
    ])
    const bare = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/SpeechCredentials`)
    expect(bare.json()).toHaveLength(2)
    expect(bare.body).not.toContain('"credential"')
  })

  it('sorts by the names it shows, on every page', async () => {
    const vendor = async (vendor: string, more: object = { api_key: 'k' }) =>
      void (await add('a1', { vendor, ...more }))
    await vendor('houndify', { client_id: 'c', client_key: 'k', user_id: 'u' })
    await vendor('voxist')
    await vendor('custom:Zoe', { auth_token: 'secret' })
    await vendor('custom:bel', { auth_token: 'secret' })
    await vendor('whisper', { api_key: 'k', model_id: 'm' })
    await vendor('deepgram')
    const shown: string[] = []
    for (let page = 1; page <= 4; page++) {
      const { data } = await t.as('a1')(ofAccount.list, {
        params: { account_sid: t.sids.a1 },
        query: { page, page_size: 2 },
      })
      shown.push(...data.map((c) => c.vendor))
    }
    const expected = ['custom:bel', 'deepgram', 'houndify', 'voxist', 'whisper', 'custom:Zoe']
    expect(shown).toEqual(expected)
    const bare = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}/SpeechCredentials`)
    expect(bare.json().map((c: { vendor: string }) => c.vendor)).toEqual(expected)
  })

  it('lets an account see shared ones, but not change them', async () => {
    const sid = await addShared({ vendor: 'voxist', api_key: 'k', use_for_stt: 1 })
    const refused = { status: 403, message: 'Insufficient privileges' }
    await expect(view(sid)).rejects.toMatchObject(refused)
    await expect(change(sid, { use_for_stt: 0 })).rejects.toMatchObject(refused)
    for (const params of [{ service_provider_sid: t.sids.sp1, speech_credential_sid: sid }])
      await expect(t.as('a1')(ofProvider.remove, { params })).rejects.toMatchObject(refused)
    expect(await row(sid)).toMatchObject({ use_for_stt: 1 })
    expect(await view(sid, 'sp1')).toMatchObject({ api_key: MASK })
  })
})

describe('changing', () => {
  it('never touches another owner’s credential', async () => {
    const sid = await add('b1', { vendor: 'voxist', api_key: 'k', use_for_stt: 1 })
    const theirs = { account_sid: t.sids.b1, speech_credential_sid: sid }
    for (const [who, params] of [
      ['a1', credentialParams(sid)],
      ['a1', theirs],
      ['sp1', credentialParams(sid)],
      ['sp1', theirs],
      ['admin', credentialParams(sid)],
    ] as const)
      await expect(
        t.as(who)(ofAccount.update, { params, body: { use_for_stt: 0 } }),
      ).rejects.toMatchObject({ status: 404 })
    expect(await row(sid)).toMatchObject({ use_for_stt: 1 })
  })

  it('returns the platform’s message when nothing changes, and keeps fixed fields', async () => {
    const sid = await add('a1', { vendor: 'voxist', api_key: 'k', label: 'l' })
    for (const body of [{}, { vendor: 'soniox', label: 'm', region: 'x' }])
      await expect(change(sid, body)).rejects.toMatchObject({
        status: 422,
        message: NOTHING_TO_UPDATE,
      })
    for (const fixed of [{ vendor: 'soniox' }, { label: 'm' }, { account_sid: t.sids.b1 }])
      await expect(change(sid, { use_for_stt: true, ...fixed })).rejects.toMatchObject({
        status: 400,
        body: { issues: [{ path: Object.keys(fixed) }] },
      })
    await change(sid, { use_for_stt: true, vendor: 'voxist', label: 'l', account_sid: t.sids.a1 })
    expect(await row(sid)).toMatchObject({
      vendor: 'voxist',
      label: 'l',
      account_sid: t.sids.a1,
      use_for_tts: null,
      use_for_stt: 1,
    })
  })

  it('keeps omitted fields and masks, removes null, and stores a new secret', async () => {
    const options = '{"speed":2}'
    const sid = await add('a1', {
      vendor: 'rimelabs',
      api_key: 'first',
      model_id: 'arcana',
      options,
    })
    const { credential } = await row(sid)
    await change(sid, { use_for_tts: 1 })
    await change(sid, { api_key: MASK, model_id: 'arcana' })
    await change(sid, { api_key: '', use_for_tts: 1 })
    expect((await row(sid)).credential).toBe(credential)
    await change(sid, { options: null })
    expect(await config(sid)).toEqual({ api_key: 'first', model_id: 'arcana' })
    await change(sid, { api_key: 'second', model_id: 'mist' })
    expect(await config(sid)).toEqual({ api_key: 'second', model_id: 'mist' })
    await expect(change(sid, { api_key: null })).rejects.toMatchObject({
      status: 422,
      message: 'invalid rimelabs speech credential: api_key is required',
    })
  })

  it('keeps and replaces a Google key, with its model inside', async () => {
    const sid = await add('a1', { vendor: 'google', service_key: KEY, model_id: 'gemini' })
    const { service_key } = await view(sid)
    expect(JSON.parse(service_key as string)).toMatchObject({ private_key: MASK, x: 1 })
    await change(sid, { service_key, model_id: 'other' })
    const blob = async () => JSON.parse(t.ctx.box.open((await row(sid)).credential)!)
    expect(await blob()).toEqual({ ...JSON.parse(KEY), model_id: 'other' })
    await change(sid, { model_id: null })
    expect(await blob()).toEqual(JSON.parse(KEY))
    await change(sid, { service_key: JSON.parse(KEY.replace('private"', 'newer"')) })
    expect(await blob()).toMatchObject({ private_key: 'newer' })
    await expect(change(sid, { service_key: '{"private_key":"x"}' })).rejects.toMatchObject({
      status: 422,
      body: { issues: [{ path: ['service_key'] }] },
    })
  })

  it.each([
    ['a member of the other mode', { role_arn: 'arn:x' }, { role_arn: 'arn:x' }],
    ['what is gone', { access_key_id: null, secret_access_key: null }, {}],
    ['its name', { mode: 'instance_profile' }, {}],
  ])('switches the mode by %s', async (_, body, left) => {
    const aws_region = 'eu-west-1'
    const sid = await add('a1', {
      vendor: 'aws',
      access_key_id: 'id',
      secret_access_key: 'key',
      aws_region,
    })
    await change(sid, body)
    expect(await config(sid)).toEqual({ aws_region, ...left })
  })

  it('clears fields of the previous mode', async () => {
    const sid = await add('a1', {
      vendor: 'deepgram',
      api_key: 'k',
      deepgram_stt_uri: 'box:1',
      deepgram_stt_use_tls: 1,
      deepgram_tts_uri: 'http://box',
      model_id: 'm',
    })
    expect(await view(sid)).toMatchObject({ deepgram_stt_use_tls: true })
    await change(sid, { mode: 'hosted', deepgram_stt_uri: '' })
    expect(await config(sid)).toEqual({ api_key: 'k', model_id: 'm' })
    await change(sid, { deepgram_stt_uri: 'api.eu.deepgram.com' })
    expect(await config(sid)).toMatchObject({ deepgram_stt_use_tls: true })
    const azure = await add('a1', { vendor: 'microsoft', custom_tts_endpoint_url: 'http://box' })
    await change(azure, { region: 'westus', api_key: 'k', mode: 'hosted' })
    expect(await view(azure)).toMatchObject({ region: 'westus', use_custom_tts: 0 })
    expect(await config(azure)).not.toHaveProperty('custom_tts_endpoint_url')
  })

  it('reports a conflict to the second of two users', async () => {
    const sid = await add('a1', { vendor: 'gladia', api_key: 'canary', region: 'us-west' })
    const { version } = await view(sid)
    await change(sid, { region: 'eu-west' }, 'sp1', version)
    const { version: newest } = await view(sid)
    await expect(change(sid, { use_for_stt: 1 }, 'a1', version)).rejects.toMatchObject({
      status: 409,
      body: { current: { region: 'eu-west', api_key: MASK, version: newest } },
    })
    await t.db.updateTable('speech_credentials').set({ stt_tested_ok: 1 }).execute()
    await change(sid, { api_key: 'newer' }, 'a1', newest)
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1 } })
    expect(data.map((e) => [e.action, e.kind, e.name, e.after])).toMatchObject([
      [
        'update',
        'speech_credential',
        'gladia',
        { secret_mark: expect.stringContaining('changed') },
      ],
      ['update', 'speech_credential', 'gladia', { region: 'eu-west' }],
      ['create', 'speech_credential', 'gladia', { api_key: MASK, region: 'us-west' }],
    ])
    expect(Object.keys(data[1]!.after!)).toEqual(['region'])
  })
})

describe('rows of a stock server', () => {
  it.each([
    ['nothing the form asks for', 'ibm', {}, {}],
    [
      'a region nobody knows',
      'aws',
      { aws_region: 'moon-1', access_key_id: 'a', secret_access_key: 'b' },
      { aws_region: 'moon-1' },
    ],
    [
      'options as an object',
      'cartesia',
      { api_key: 'k', model_id: 'm', stt_model_id: 's', options: { a: 1 } },
      { options: '{"a":1}' },
    ],
    [
      'a toggle as a boolean',
      'deepgram',
      { deepgram_stt_uri: 'x:1', deepgram_stt_use_tls: true },
      { deepgram_stt_use_tls: true },
    ],
    [
      'both Azures',
      'microsoft',
      { region: 'westus', api_key: 'k', custom_tts_endpoint_url: 'http://x', use_custom_tts: 1 },
      { region: 'westus', custom_tts_endpoint_url: 'http://x' },
    ],
    [
      'a Google key without its members',
      'google',
      { some: 'thing' },
      { service_key: '{"some":"thing"}' },
    ],
    [
      'nulls',
      'nuance',
      { client_id: null, secret: null, nuance_tts_uri: 'x:1' },
      { nuance_tts_uri: 'x:1' },
    ],
    ['a vendor nobody knows', 'murf', { api_key: 'canary' }, { vendor: 'murf' }],
  ])('can be read and switched off and on with %s', async (_, vendor, blob, shown) => {
    const sid = await stock(vendor, blob)
    expect(await view(sid)).toMatchObject(shown)
    expect(JSON.stringify(await view(sid))).not.toContain('canary')
    const { credential } = await row(sid)
    for (const use_for_tts of [0, 1] as const) await change(sid, { use_for_tts, use_for_stt: 1 })
    expect(await row(sid)).toMatchObject({ credential, use_for_tts: 1, use_for_stt: 1 })
  })

  it('keep members that no descriptor knows', async () => {
    const sid = await stock('gladia', { api_key: 'k', region: 'us-west', newer: 1 })
    await change(sid, { region: 'eu-west' })
    expect(JSON.parse(t.ctx.box.open((await row(sid)).credential)!)).toEqual({
      api_key: 'k',
      region: 'eu-west',
      newer: 1,
    })
  })

  it.each(['', '{}', 'null', '{"iv":"00","content":"00"}'])(
    'that cannot be decrypted (%s) can be read, and must be replaced completely',
    async (credential) => {
      const sid = await stock('gladia', credential)
      expect(await view(sid)).toMatchObject({ vendor: 'gladia', unreadable: true })
      const anew = { status: 422, message: UNREADABLE_CREDENTIAL }
      for (const body of [{ use_for_tts: 1 }, { region: 'us-west' }, { api_key: MASK }])
        await expect(change(sid, body)).rejects.toMatchObject(anew)
      await change(sid, { api_key: 'k', region: 'us-west' })
      expect(await config(sid)).toEqual({ api_key: 'k', region: 'us-west' })
      expect(await view(sid)).not.toHaveProperty('unreadable')
    },
  )
})

it('deletes, with the custom voices, and with its account', async () => {
  const sid = await add('a1', { vendor: 'google', service_key: KEY })
  const voice = () =>
    t.as('a1')(api.googleCustomVoices.create, {
      body: { speech_credential_sid: sid, name: 'v', model: 'm' },
    })
  await voice()
  const params = { service_provider_sid: t.sids.sp1, speech_credential_sid: sid }
  await t.as('a1')(ofProvider.remove, { params })
  const remaining = async () => [
    await t.db.selectFrom('speech_credentials').selectAll().execute(),
    await t.db.selectFrom('google_custom_voices').selectAll().execute(),
  ]
  expect(await remaining()).toEqual([[], []])
  const { sid: account_sid } = await t.as('admin')(api.accounts.create, {
    body: { name: 'leaving', service_provider_sid: t.sids.sp1 },
  })
  const leaving = await stock('google', JSON.parse(KEY), { account_sid })
  await t.db
    .insertInto('google_custom_voices')
    .values({
      google_custom_voice_sid: crypto.randomUUID(),
      speech_credential_sid: leaving,
      name: 'v',
      model: 'm',
    })
    .execute()
  await t.as('admin')(api.accounts.remove, { params: { account_sid }, body: {} })
  expect(await remaining()).toEqual([[], []])
})
