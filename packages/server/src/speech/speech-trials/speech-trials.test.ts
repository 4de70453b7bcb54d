import { generateKeyPairSync, randomUUID } from 'node:crypto'
import {
  type ApiError,
  api,
  SPEECH_CALLS_PER_MINUTE,
  type SpeechCredentialItem,
} from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  standIns,
  type VendorRequest,
  type VendorResponse,
} from '../../../test/stand-ins/speech-server.ts'
import { toWav } from '../../audio/wav.ts'

const CANARY = 'canary-7f3a-0c11'
const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413, 7)])
const TRANSCRIPT = 'good morning'

let t: TestApp
let requests: VendorRequest[]
/** The vendor's response; successful unless a test sets another. */
let vendor: (request: VendorRequest) => VendorResponse
let close: () => Promise<void>

const succeed = ({ method, url }: VendorRequest): VendorResponse => {
  if (method === 'GET') return { status: 200, body: { projects: [{ project_id: 'p1' }] } }
  if (url.pathname === '/v1/speak')
    return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: MP3 }
  const channels = [{ alternatives: [{ transcript: TRANSCRIPT }] }]
  return { status: 200, body: { results: { channels } } }
}

beforeEach(async () => {
  requests = []
  vendor = succeed
  const s = await standIns({
    hosts: [
      'api.deepgram.com',
      'oauth2.googleapis.com',
      'texttospeech.googleapis.com',
      'tts.example.com',
    ],
    http(one) {
      requests.push(one)
      return vendor(one)
    },
  })
  close = s.close
  t = await testApp({}, s.out)
})
afterEach(async () => {
  await t.close()
  await close()
})

type Who = 'a1' | 'a2' | 'b1' | 'sp1' | 'sp2'
const ownerOf = (who: Who) => ({
  account_sid: who.startsWith('sp') ? null : t.sids[who],
  service_provider_sid: who === 'b1' || who === 'sp2' ? t.sids.sp2 : t.sids.sp1,
})

/** The stored row of a credential. */
async function add(who: Who, of = 'deepgram', blob: object = { api_key: CANARY }, more = {}) {
  const speech_credential_sid = randomUUID()
  await t.db
    .insertInto('speech_credentials')
    .values({
      speech_credential_sid,
      vendor: of,
      ...ownerOf(who),
      credential: t.ctx.box.seal(JSON.stringify(blob)),
      use_for_tts: 1,
      use_for_stt: 1,
      ...more,
    })
    .execute()
  return speech_credential_sid
}

const stored = (sid: string) =>
  t.db
    .selectFrom('speech_credentials')
    .selectAll()
    .where('speech_credential_sid', '=', sid)
    .executeTakeFirstOrThrow()

const test = (
  who: string,
  speech_credential_sid: string,
  query: { real?: 1 } = {},
  account = t.sids.a1,
) =>
  t.as(who)(api.accountSpeechTrials.test, {
    params: { account_sid: account, speech_credential_sid },
    query,
  })
const say = { text: 'hello', language: 'en-US', voice: 'aura-2-thalia-en' }
const speak = (who: string, speech_credential_sid: string, body = say, account = t.sids.a1) =>
  t.as(who)(api.accountSpeechTrials.speak, {
    params: { account_sid: account, speech_credential_sid },
    body,
  })
const wav = (pcm = Buffer.alloc(8_000), rate = 8_000) => toWav(pcm, rate)
const recognize = (who: string, speech_credential_sid: string, bytes: Buffer | string) =>
  t.as(who)(api.accountSpeechTrials.recognize, {
    params: { account_sid: t.sids.a1, speech_credential_sid },
    body: {
      wav: typeof bytes === 'string' ? bytes : bytes.toString('base64'),
      language: 'en-US',
    },
  })

describe('testing a credential', () => {
  it('tests both uses with free calls, and stores the result', async () => {
    const sid = await add('a1')
    expect(await test('a1', sid)).toEqual({ tts: { status: 'ok' }, stt: { status: 'ok' } })
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.every((one) => one.method === 'GET')).toBe(true)
    expect(await stored(sid)).toMatchObject({ tts_tested_ok: 1, stt_tested_ok: 1 })
    expect((await stored(sid)).last_tested).toMatch(/^\d{4}-/)
  })

  it('tests only the enabled uses', async () => {
    const sid = await add('a1', undefined, undefined, { use_for_tts: 0, use_for_stt: null })
    const untested = { status: 'not tested' }
    expect(await test('a1', sid)).toEqual({ tts: untested, stt: untested })
    expect(requests).toEqual([])
    expect(await stored(sid)).toMatchObject({ tts_tested_ok: null, stt_tested_ok: null })
  })

  it('reports why it failed, also in lists, without the key', async () => {
    vendor = ({ headers }) => ({ status: 401, body: { message: `${headers.authorization} no` } })
    const sid = await add('a1')
    const result = await test('a1', sid)
    expect(result.tts).toMatchObject({ status: 'fail', reason: expect.stringContaining('***') })
    expect(JSON.stringify(result)).not.toContain(CANARY)
    expect(await stored(sid)).toMatchObject({ tts_tested_ok: 0, stt_tested_ok: 0 })
    const kept = await t.db.selectFrom('switchroom_speech_tests').selectAll().execute()
    expect(kept).toMatchObject([{ tts_status: 'fail', tts_reason: result.tts.reason, is_real: 0 }])
    expect(JSON.stringify(kept)).not.toContain(CANARY)
    const view = await t.as('a1')(api.accountSpeechCredentials.view, {
      params: { account_sid: t.sids.a1, speech_credential_sid: sid },
    })
    const [item] = (await t.as('sp1')(api.accountSpeechCredentials.list, {
      params: { account_sid: t.sids.a1 },
      query: {},
    })) as unknown as SpeechCredentialItem[]
    for (const shown of [view, item])
      expect(shown?.test_result).toEqual({ ...result, real: false, at: kept[0]!.at })
    const credential = t.ctx.box.seal('{"api_key":"other"}')
    await t.db.updateTable('speech_credentials').set({ credential }).execute()
    const changed = await t.as('a1')(api.accountSpeechCredentials.view, {
      params: { account_sid: t.sids.a1, speech_credential_sid: sid },
    })
    expect(changed.test_result).toBeUndefined()
    expect(t.lines.join()).not.toContain(CANARY)
  })

  it('synthesizes and recognizes in a live test', async () => {
    const sid = await add('a1')
    expect(await test('a1', sid, { real: 1 })).toEqual({
      tts: { status: 'ok' },
      stt: { status: 'ok' },
    })
    expect(requests.map((one) => one.url.pathname).sort()).toEqual(['/v1/listen', '/v1/speak'])
    const sentAudio = requests.find((one) => one.url.pathname === '/v1/listen')!.body
    expect(sentAudio.toString('latin1', 0, 4)).toBe('RIFF')
    expect(sentAudio.length).toBe(44 + 1.8 * 8_000 * 2)
    const [kept] = await t.db.selectFrom('switchroom_speech_tests').selectAll().execute()
    expect(kept).toMatchObject({ is_real: 1, tts_status: 'ok', stt_status: 'ok' })
  })

  it('accepts an empty transcript', async () => {
    vendor = (one) =>
      one.url.pathname === '/v1/listen'
        ? {
            status: 200,
            body: { results: { channels: [{ alternatives: [{ transcript: '' }] }] } },
          }
        : succeed(one)
    expect((await test('a1', await add('a1'), { real: 1 })).stt).toEqual({ status: 'ok' })
  })

  it('does not test vendors without a protocol, and says which have no free test', async () => {
    const untested = { status: 'not tested' }
    expect(await test('a1', await add('a1', 'vendor-of-yore', { api_key: CANARY }))).toEqual({
      tts: untested,
      stt: untested,
    })
    expect(await test('a1', await add('a1', 'rimelabs', { api_key: CANARY }))).toMatchObject({
      tts: { ...untested, reason: 'This vendor has no free test.' },
    })
  })

  it('reports that a credential cannot be decrypted', async () => {
    const sid = await add('a1', 'deepgram', undefined, { credential: 'nothing that opens' })
    expect(await test('a1', sid)).toMatchObject({
      tts: { status: 'fail', reason: 'The stored credential cannot be decrypted. Enter it again' },
    })
  })

  it.each([{}, { client_email: 'a@b.example' }, { private_key: CANARY }])(
    'rejects a Google credential that is not a key: %j',
    async (blob) => {
      const sid = await add('a1', 'google', blob)
      await expect(test('a1', sid)).rejects.toMatchObject({
        status: 422,
        message: 'uploaded file is not a google service key',
      })
      expect((await stored(sid)).last_tested).toBeNull()
    },
  )

  it('shares one test between concurrent requests', async () => {
    const held = Promise.withResolvers<void>()
    vendor = (one) => ({ ...succeed(one), after: held.promise })
    const sid = await add('a1')
    const both = Promise.all([test('a1', sid), test('sp1', sid)])
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    // which comes behind both
    await t.request('a1', 'GET', '/PhoneNumbers?page=1')
    held.resolve()
    const [first, second] = await both
    expect(second).toEqual(first)
    const together = requests.length
    await test('a1', sid)
    expect(requests.length).toBe(together * 2)
  })

  it('stores no result for a credential that changed during the test', async () => {
    const sid = await add('a1')
    const held = Promise.withResolvers<void>()
    vendor = (one) => ({ ...succeed(one), after: held.promise })
    const testing = test('a1', sid)
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    const credential = t.ctx.box.seal('{"api_key":"other"}')
    await t.db.updateTable('speech_credentials').set({ credential }).execute()
    held.resolve()
    expect((await testing).tts).toEqual({ status: 'ok' })
    expect(await stored(sid)).toMatchObject({ last_tested: null, tts_tested_ok: null })
    expect(await t.db.selectFrom('switchroom_speech_tests').selectAll().execute()).toEqual([])
  })

  it('removes the results of deleted credentials', async () => {
    const gone = await add('a1')
    await test('a1', gone)
    await t.db.deleteFrom('speech_credentials').execute()
    const sid = await add('a1')
    await test('a1', sid)
    const left = await t.db.selectFrom('switchroom_speech_tests').selectAll().execute()
    expect(left.map((l) => l.speech_credential_sid)).toEqual([sid])
  })

  it('connects to no internal address', async () => {
    const real = await testApp()
    try {
      const speech_credential_sid = randomUUID()
      await real.db
        .insertInto('speech_credentials')
        .values({
          speech_credential_sid,
          vendor: 'deepgram',
          account_sid: real.sids.a1,
          service_provider_sid: real.sids.sp1,
          credential: real.ctx.box.seal(
            JSON.stringify({
              deepgram_stt_uri: '127.0.0.1:1',
              deepgram_tts_uri: '169.254.169.254:80',
            }),
          ),
        })
        .execute()
      const result = await real.as('a1')(api.accountSpeechTrials.test, {
        params: { account_sid: real.sids.a1, speech_credential_sid },
        query: { real: 1 },
      })
      for (const side of [result.tts, result.stt])
        expect(side).toMatchObject({
          status: 'not tested',
          reason: expect.stringContaining('SWITCHROOM_ALLOW_NETWORKS'),
        })
    } finally {
      await real.close()
    }
  })
})

describe('access and limits', () => {
  it('an account tests its own and its provider’s credentials only', async () => {
    for (const who of ['a1', 'sp1'] as const)
      expect((await test('a1', await add(who))).tts.status).toBe('ok')
    for (const who of ['a2', 'b1', 'sp2'] as const) {
      const sid = await add(who)
      const none = { status: 404, message: 'No such speech credential' }
      await expect(test('a1', sid)).rejects.toMatchObject(none)
      await expect(speak('a1', sid)).rejects.toMatchObject(none)
      await expect(recognize('a1', sid, wav())).rejects.toMatchObject(none)
      await expect(test('a1', sid, {}, t.sids.a2)).rejects.toMatchObject(none)
      // under an account, no caller finds another account's credential
      await expect(test('admin', sid)).rejects.toMatchObject({ status: 404 })
    }
  })

  it('a view-only user can run free tests only', async () => {
    const sid = await add('a1')
    expect((await test('a1-viewer', sid)).tts.status).toBe('ok')
    const refused = { status: 403, message: 'User has view-only access' }
    await expect(test('a1-viewer', sid, { real: 1 })).rejects.toMatchObject(refused)
    await expect(speak('a1-viewer', sid)).rejects.toMatchObject(refused)
    await expect(recognize('a1-viewer', sid, wav())).rejects.toMatchObject(refused)
  })

  it('live calls are rate-limited', async () => {
    const sid = await add('a1')
    // keeps the test within one minute
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    try {
      for (let i = 0; i < SPEECH_CALLS_PER_MINUTE; i++) await speak('a1', sid)
      const enough = { status: 429, body: { code: 'too_many' } }
      await expect(speak('a1', sid)).rejects.toMatchObject(enough)
      await expect(test('a1', sid, { real: 1 })).rejects.toMatchObject(enough)
      await expect(recognize('a1', sid, wav())).rejects.toMatchObject(enough)
      // free tests continue, and so do other callers'
      expect((await test('a1', sid)).tts.status).toBe('ok')
      expect((await speak('sp1', sid)).bytes.length).toBe(MP3.length)
    } finally {
      vi.useRealTimers()
    }
  })

  it('concurrent tests per caller are limited', async () => {
    const held = Promise.withResolvers<void>()
    vendor = (one) => ({ ...succeed(one), after: held.promise })
    const sids = await Promise.all(Array.from({ length: 10 }, () => add('a1')))
    const refused: unknown[] = []
    const ended = sids.map((sid) => test('a1', sid).catch((e) => refused.push(e.status)))
    await expect.poll(() => refused).toHaveLength(2)
    held.resolve()
    await Promise.all(ended)
    expect(refused).toEqual([429, 429])
    expect((await test('a1', sids[9]!)).tts.status).toBe('ok')
  })
})

describe('speaking', () => {
  it('returns audio that browsers do not cache', async () => {
    const sid = await add('a1')
    const sound = await speak('a1', sid)
    expect(sound.type).toBe('audio/mpeg')
    expect(Buffer.from(sound.bytes).equals(MP3)).toBe(true)
    const answer = await t.request(
      'a1',
      'POST',
      `/Accounts/${t.sids.a1}/SpeechCredentials/${sid}/Synthesize`,
      say,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('gives the vendor’s reason, without the key', async () => {
    vendor = ({ headers }) => ({ status: 402, body: { message: String(headers.authorization) } })
    const error = await speak('a1', await add('a1')).catch((e: unknown) => e as ApiError)
    expect(error).toMatchObject({ status: 502, body: { code: 'vendor_failed' } })
    expect(JSON.stringify(error)).not.toContain(CANARY)
    expect(t.lines.join()).not.toContain(CANARY)
  })

  it('rejects a credential that cannot synthesize', async () => {
    const listens = await add('a1', 'deepgram', undefined, { use_for_tts: 0 })
    for (const sid of [listens, await add('a1', 'assemblyai', {}), await add('a1', 'yore', {})])
      await expect(speak('a1', sid)).rejects.toMatchObject({
        status: 422,
        body: { issues: [{ path: ['speech_credential_sid'] }] },
      })
    expect(requests).toEqual([])
  })
})

describe('on the platform’s path', () => {
  const path = () => `/Accounts/${t.sids.a1}/TtsCache/Synthesize`
  const body = (speech_credential_sid: string, more = {}) => ({
    speech_credential_sid,
    ...say,
    ...more,
  })

  it('returns an MP3', async () => {
    const answer = await t.request('a1', 'POST', path(), body(await add('sp1')))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'cache-control': 'no-store',
    })
    expect(answer.rawPayload.equals(MP3)).toBe(true)
  })

  it('requires every field', async () => {
    const sid = await add('a1')
    const all = 'speech_credential_sid, text, language, voice are all required'
    for (const member of ['speech_credential_sid', 'text', 'language', 'voice'])
      for (const nothing of [undefined, '', null]) {
        const answer = await t.request('a1', 'POST', path(), body(sid, { [member]: nothing }))
        expect([answer.statusCode, answer.json().msg]).toEqual([400, all])
      }
  })

  it('uses the credentials of the account in the path only', async () => {
    for (const sid of [await add('a2'), await add('b1'), await add('sp2'), randomUUID()])
      for (const who of ['a1', 'admin']) {
        const answer = await t.request(who, 'POST', path(), body(sid))
        const message = `There is no available speech credential for ${sid}`
        expect([answer.statusCode, answer.json().msg]).toEqual([400, message])
      }
    expect(requests).toEqual([])
  })

  it('rejects an unknown or inactive account', async () => {
    const sid = await add('sp1')
    const nobody = randomUUID()
    const none = await t.request(
      'admin',
      'POST',
      `/Accounts/${nobody}/TtsCache/Synthesize`,
      body(sid),
    )
    expect([none.statusCode, none.json().msg]).toEqual([400, `Account not found for sid ${nobody}`])
    for (const who of ['a2', 'sp2']) {
      const foreign = await t.request(who, 'POST', path(), body(sid))
      expect([foreign.statusCode, foreign.json().msg]).toEqual([403, 'insufficient permissions'])
    }
    await t.db
      .updateTable('accounts')
      .set({ is_active: 0 })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    const idle = await t.request('sp1', 'POST', path(), body(sid))
    expect([idle.statusCode, idle.json().msg]).toEqual([
      400,
      `Account not found for sid ${t.sids.a1}`,
    ])
  })

  it('lets administrators use any account', async () => {
    const synthesiseAnywhere = (who: string, sid: string, account_sid?: string) =>
      t.request(who, 'POST', '/TtsCache/Synthesize', body(sid, { account_sid }))
    const [shared, foreign] = [await add('sp1'), await add('b1')]
    const answer = await synthesiseAnywhere('admin', shared, t.sids.a1)
    expect([answer.headers['content-type'], answer.rawPayload.equals(MP3)]).toEqual([
      'audio/mpeg',
      true,
    ])
    requests = []
    const nobody = randomUUID()
    for (const [sid, account, message] of [
      [shared, undefined, 'Account not found for sid undefined'],
      [shared, nobody, `Account not found for sid ${nobody}`],
      [foreign, t.sids.a1, `There is no available speech credential for ${foreign}`],
    ] as const) {
      const refused = await synthesiseAnywhere('admin', sid, account)
      expect([refused.statusCode, refused.json().msg]).toEqual([400, message])
    }
    for (const who of ['sp1', 'a1'])
      expect((await synthesiseAnywhere(who, shared, t.sids.a1)).statusCode).toBe(403)
    expect(requests).toEqual([])
  })

  it('converts other formats to MP3', async () => {
    vendor = () => ({ status: 200, headers: { 'content-type': 'audio/wav' }, body: wav() })
    const sid = await add('a1', 'custom:mine', { custom_tts_url: 'https://tts.example.com/' })
    const answer = await t.request('a1', 'POST', path(), body(sid))
    expect(answer.headers['content-type']).toBe('audio/mpeg')
    expect([answer.rawPayload[0], answer.rawPayload[1]! & 0xfe]).toEqual([0xff, 0xe2])
  })
})

describe('listening', () => {
  it('returns the transcript', async () => {
    for (const rate of [8_000, 16_000])
      expect(await recognize('a1', await add('a1'), wav(Buffer.alloc(rate), rate))).toEqual({
        text: TRANSCRIPT,
      })
  })

  const changed = (change: (wav: Buffer) => void) => {
    const bytes = wav()
    change(bytes)
    return bytes
  }
  it.each<[string, Buffer | string, string]>([
    ['no base64', 'RIFF%%', 'The recording is not base64'],
    ['no WAV', Buffer.from('ID3 and more'), 'The recording is not a WAV file'],
    ['half a header', wav().subarray(0, 30), 'The recording is not a WAV file'],
    ['mu-law', changed((w) => w.writeUInt16LE(7, 20)), 'compressed'],
    ['stereo', changed((w) => w.writeUInt16LE(2, 22)), 'The recording has 2 channels. Send one'],
    ['8 bits', changed((w) => w.writeUInt16LE(8, 34)), 'The recording has 8 bits per sample'],
    ['CD quality', wav(Buffer.alloc(8), 44_100), 'The recording has 44100 samples per second'],
    ['nothing', wav(Buffer.alloc(0)), 'The recording is empty'],
    ['31 seconds', wav(Buffer.alloc(31 * 16_000)), 'The recording is longer than 30 seconds'],
  ])('rejects %s', async (_, bytes, message) => {
    await expect(recognize('a1', await add('a1'), bytes)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
      body: { issues: [{ path: ['wav'] }] },
    })
    expect(requests).toEqual([])
  })
})

describe('custom voices of Google', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const blob = { client_email: 'a@b.example', private_key }

  const addVoice = async (speech_credential_sid: string, more: object) => {
    const google_custom_voice_sid = randomUUID()
    await t.db
      .insertInto('google_custom_voices')
      .values({ google_custom_voice_sid, speech_credential_sid, name: 'v', model: '', ...more })
      .execute()
    return { ...say, voice: `custom_${google_custom_voice_sid}` }
  }
  const sentRequest = () => {
    const { url, body } = requests.at(-1)!
    return [url.pathname, (JSON.parse(String(body)) as { voice: object }).voice]
  }

  it('are used by model or cloning key', async () => {
    vendor = ({ host }) =>
      host === 'oauth2.googleapis.com'
        ? { status: 200, body: { access_token: 'token' } }
        : { status: 200, body: { audioContent: MP3.toString('base64') } }
    const sid = await add('a1', 'google', blob)
    const model = await addVoice(sid, { model: 'projects/p/models/m' })
    expect((await speak('a1', sid, model)).bytes.length).toBe(MP3.length)
    expect(sentRequest()).toEqual([
      '/v1/text:synthesize',
      {
        languageCode: 'en-US',
        customVoice: { model: 'projects/p/models/m', reportedUsage: 'REALTIME' },
      },
    ])
    const cloned = { use_voice_cloning_key: 1, voice_cloning_key: CANARY } as const
    await speak('a1', sid, await addVoice(sid, cloned))
    expect(sentRequest()).toEqual([
      '/v1beta1/text:synthesize',
      { languageCode: 'en-US', voiceClone: { voiceCloningKey: CANARY } },
    ])
  })

  it('do not expose their cloning key', async () => {
    vendor = ({ host, body }) =>
      host === 'oauth2.googleapis.com'
        ? { status: 200, body: { access_token: 'token' } }
        : { status: 400, body: { error: { message: `no: ${body}` } } }
    const sid = await add('a1', 'google', blob)
    const voice = await addVoice(sid, { use_voice_cloning_key: 1, voice_cloning_key: CANARY })
    const error = await speak('a1', sid, voice).catch((e: unknown) => e as ApiError)
    expect(error).toMatchObject({ status: 502 })
    expect(JSON.stringify(error)).not.toContain(CANARY)
    expect(t.lines.join()).not.toContain(CANARY)
  })

  it('must belong to the credential and be complete', async () => {
    const [own, foreign] = [await add('a1', 'google', blob), await add('b1', 'google', blob)]
    const theirs = await addVoice(foreign, { model: CANARY })
    for (const voice of [theirs.voice, `custom_${randomUUID()}`, 'custom_x'])
      await expect(speak('a1', own, { ...say, voice })).rejects.toMatchObject({
        status: 422,
        message: 'No such custom voice',
      })
    await expect(speak('a1', own, await addVoice(own, {}))).rejects.toMatchObject({
      status: 422,
      message: 'This custom voice has no model yet',
    })
    const keyless = await addVoice(own, { use_voice_cloning_key: 1 })
    await expect(speak('a1', own, keyless)).rejects.toMatchObject({
      status: 422,
      message: 'This custom voice has no cloning key yet',
    })
    expect(requests).toEqual([])
  })
})
