import { randomUUID } from 'node:crypto'
import { api } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { featureServer, testPlatform } from '../../../test/stand-ins/feature-server.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const of = (account_sid: string) => ({ params: { account_sid } })
const newCall = { from: '1500', to: { type: 'phone', number: '1501' } }
const speech = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'v',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
}
const whole = { ...newCall, ...speech, call_hook: 'https://example.com/hook' }
const create = (who: string, account_sid: string, body: object) =>
  t.request(who, 'POST', `/Accounts/${account_sid}/Calls`, body)

it('has no calls and no feature server without a platform', async () => {
  expect(await t.as('a1')(api.liveCalls.ofAccount, { ...of(t.sids.a1), query: {} })).toEqual([])
  const live = await t.as('a1')(api.liveCalls.list, { query: {} })
  expect(live).toMatchObject({ data: [], total: 0, complete: true })
  const refused = await create('a1', t.sids.a1, whole)
  expect(refused.statusCode).toBe(480)
  expect(refused.json()).toMatchObject({ msg: 'no available feature servers at this time' })
})

it.each([
  ['missing from parameter', { from: undefined }],
  ['missing or invalid to property: undefined', { to: undefined }],
  ['missing or invalid to property: {"type":"fax"}', { to: { type: 'fax' } }],
  ['missing or invalid to property: {"type":"user"}', { to: { type: 'user' } }],
  [
    'either application_sid or set of speech_synthesis_vendor, speech_synthesis_language, speech_synthesis_voice, speech_recognizer_vendor, speech_recognizer_language required',
    { speech_synthesis_voice: undefined },
  ],
  ['either call_hook or application_sid required', { call_hook: undefined }],
  ['call_hook must be string or an object containing a url property', { call_hook: {} }],
  [
    'call_status_hook must be string or an object containing a url property',
    { call_status_hook: 7 },
  ],
  ['call_hook url be an absolute url', { call_hook: '/hook' }],
  ['call_status_hook url be an absolute url', { call_status_hook: { url: 'ftp://x/' } }],
])('says “%s”', async (msg, change) => {
  const answer = await create('a1', t.sids.a1, { ...whole, ...change })
  expect([answer.statusCode, answer.json().msg]).toEqual([400, msg])
})

it.each([
  ['no valid options supplied to updateCall', {}],
  ['no valid options supplied to updateCall', { noise_isolation_level: 50 }],
  [
    'multiple options are not allowed in updateCall',
    { whisper: { verb: 'say', text: 'x' }, mute_status: 'mute', dtmf: { digit: '1' } },
  ],
  [
    'multiple options are not allowed in updateCall',
    { call_status: 'completed', mute_status: 'mute' },
  ],
  ['invalid call_status', { call_status: 'busy' }],
  ['invalid listen_status', { listen_status: 'x' }],
  ['invalid mute_status', { mute_status: true }],
  ['invalid conf_hold_status', { conf_hold_status: 'x' }],
  ['invalid conf_mute_status', { conf_mute_status: 'x' }],
  [
    'sip_request requires method, content_type and content properties',
    { sip_request: { method: 'INFO' } },
  ],
  ['record requires action property', { record: {} }],
  [
    'record requires siprecServerURL property when starting recording',
    { record: { action: 'stopCallRecording' } },
  ],
  ['invalid dtmf', { dtmf: {} }],
  ['invalid tag data', { tag: ['x'] }],
  [
    'conferenceParticipantAction invalid action property x',
    { conferenceParticipantAction: { action: 'x' } },
  ],
  [
    "conferenceParticipantAction requires tag property when action is 'coach'",
    { conferenceParticipantAction: { action: 'coach' } },
  ],
  ['invalid media_path', { media_path: 'x' }],
])('rejects a command: “%s”', async (msg, body) => {
  const path = `/Accounts/${t.sids.a1}/Calls/${randomUUID()}`
  for (const method of ['PUT', 'POST']) {
    const answer = await t.request('a1', method, path, body)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, msg])
  }
})

describe.each(process.env.TEST_REDIS_URL ? ['Redis'] : [])('with %s', () => {
  let platform: ReturnType<typeof testPlatform>
  let fs: Awaited<ReturnType<typeof featureServer>>
  beforeEach(async () => {
    platform = testPlatform(t.redis!)
    fs = await featureServer()
  })
  afterEach(() => {
    platform.close()
    fs.close()
  })
  const ofCall = (call_sid: string, account_sid = t.sids.a1) => ({
    params: { account_sid, call_sid },
  })
  const live = (who: string, query: object = {}) => t.as(who)(api.liveCalls.list, { query })

  it('shows calls as the platform writes them', async () => {
    const sid = await platform.call(t.sids.a1, {
      callStatus: 'in-progress',
      sipStatus: 200,
      duration: 7,
      originatingSipTrunkName: 'trunk',
      customerData: { secret: 1 },
    })
    const ended = await platform.call(t.sids.a1, { callStatus: 'completed', sipStatus: 200 })
    await platform.call(t.sids.a2)
    const as = t.as('a1')
    const all = await as(api.liveCalls.ofAccount, { ...of(t.sids.a1), query: {} })
    expect(all.map((c) => c.call_sid).sort()).toEqual([sid, ended].sort())
    expect(await as(api.liveCalls.view, ofCall(sid))).toMatchObject({
      call_sid: sid,
      account_sid: t.sids.a1,
      call_status: 'in-progress',
      sip_status: 200,
      duration: 7,
      originating_sip_trunk_name: 'trunk',
      service_url: 'http://127.0.0.1:9',
    })
    const some = await as(api.liveCalls.ofAccount, {
      ...of(t.sids.a1),
      query: { callStatus: 'completed', from: '15005550100' },
    })
    expect(some.map((c) => c.call_sid)).toEqual([ended])
  })

  it('shows each caller the calls of its own accounts', async () => {
    const sids = {
      a1: await platform.call(t.sids.a1),
      a2: await platform.call(t.sids.a2),
      b1: await platform.call(t.sids.b1),
    }
    await platform.call(t.sids.a1, { callStatus: 'busy', sipStatus: 486 })
    const visibleSids = async (who: string, query = {}) =>
      (await live(who, query))!.data.map((c) => c.call_sid).sort()
    expect(await visibleSids('admin')).toEqual(Object.values(sids).sort())
    expect(await visibleSids('sp1')).toEqual([sids.a1, sids.a2].sort())
    expect(await visibleSids('sp1', { account_sid: t.sids.b1 })).toEqual([])
    expect(await visibleSids('sp1', { service_provider_sid: t.sids.sp2 })).toEqual([])
    expect(await visibleSids('a1')).toEqual([sids.a1])
    expect(await visibleSids('a1', { account_sid: t.sids.a2 })).toEqual([])
    expect(await visibleSids('admin', { service_provider_sid: t.sids.sp2 })).toEqual([sids.b1])
    for (const who of ['a2', 'b1', 'sp2']) {
      const answers = [
        await t.request(who, 'GET', `/Accounts/${t.sids.a1}/Calls/${sids.a1}`),
        await t.request(who, 'DELETE', `/Accounts/${t.sids.a1}/Calls/${sids.a1}`),
        await t.request(who, 'PUT', `/Accounts/${t.sids.a1}/Calls/${sids.a1}`, {
          call_status: 'completed',
        }),
      ]
      expect(answers.map((a) => a.statusCode)).toEqual([404, 404, 404])
    }
    // a call below another account of the same caller is not there either
    const wrong = await t.request('sp1', 'GET', `/Accounts/${t.sids.a2}/Calls/${sids.a1}`)
    expect(wrong.statusCode).toBe(404)
  })

  it('names an application only to those who may see it', async () => {
    const hook = { url: 'https://example.com/hook' }
    const application = async (who: string) => {
      const body = { name: `application of ${who}`, call_hook: hook, call_status_hook: hook }
      return (await t.as(who)(api.applications.create, { body })).sid
    }
    await platform.call(t.sids.a1, { applicationSid: await application('b1') })
    await platform.call(t.sids.a1, { applicationSid: await application('a1') })
    const named = async (who: string) =>
      (await live(who))!.data.map((c) => c.application_name ?? c.application_sid ?? 'none').sort()
    for (const who of ['a1', 'sp1']) expect(await named(who)).toEqual(['application of a1', 'none'])
    expect(await named('admin')).toEqual(['application of a1', 'application of b1'])
  })

  it('returns load and limit, and nothing when the version is unchanged', async () => {
    await t.as('sp1')(api.limits.setForAccount, {
      ...of(t.sids.a1),
      body: { category: 'voice_call_session', quantity: 5 },
    })
    await platform.redis.incrKey(`incalls:account:${t.sids.a1}`)
    await platform.call(t.sids.a1, { from: 'alice' })
    await platform.call(t.sids.a1, { from: 'bob' })
    const now = (await live('a1'))!
    expect(now.accounts).toEqual([
      {
        account_sid: t.sids.a1,
        name: 'a1',
        calls: 2,
        inbound: 1,
        outbound: null,
        limit: 5,
      },
    ])
    expect(await live('a1', { seen: now.version })).toBeUndefined()
    await platform.call(t.sids.a1, { from: '+12125550084' })
    await expect.poll(() => live('a1', { seen: now.version })).toMatchObject({ total: 3 })
    expect(await live('a1', { filter: 'BOB' })).toMatchObject({ total: 1 })
    expect(await live('a1', { filter: '(212) 555' })).toMatchObject({ total: 1 })
    expect(await live('a1', { page: 2, page_size: 2 })).toMatchObject({ total: 3, page: 2 })
    const count = await t.as('a1')(api.liveCalls.count, of(t.sids.a1))
    expect(count).toEqual({ inbound: 1, outbound: 0 })
  })

  it('returns a provider’s load to callers who may see all its calls', async () => {
    await t.as('admin')(api.limits.setForServiceProvider, {
      params: { service_provider_sid: t.sids.sp1 },
      body: { category: 'voice_call_session', quantity: 3 },
    })
    for (const sid of [t.sids.a1, t.sids.a2, t.sids.b1]) await platform.call(sid)
    const provider = { service_provider_sid: t.sids.sp1 }
    const load = async (who: string, query = {}) => (await live(who, query))!.provider
    expect(await load('sp1')).toEqual({ calls: 2, limit: 3 })
    expect(await load('sp1', { filter: 'nobody' })).toEqual({ calls: 2, limit: 3 })
    expect(await load('admin', provider)).toEqual({ calls: 2, limit: 3 })
    expect(await load('admin')).toBeNull()
    expect(await load('admin', { ...provider, account_sid: t.sids.a1 })).toBeNull()
    expect(await load('a1')).toBeNull()
    expect(await load('sp2', provider)).toBeNull()
    expect(await load('sp2')).toEqual({ calls: 1, limit: null })
  })

  it('caches reads from Redis, and never rereads ended calls', async () => {
    await Promise.all(
      Array.from({ length: 600 }, (_, n) =>
        platform.call(t.sids.a1, n < 300 ? { callStatus: 'completed' } : {}),
      ),
    )
    const count = async () => {
      const info = await platform.redis.client.info('commandstats')
      return Number(/cmdstat_hmget:calls=(\d+)/.exec(info)?.[1] ?? 0)
    }
    const before = await count()
    await Promise.all(Array.from({ length: 20 }, () => live('a1')))
    const first = await count()
    expect(first - before).toBe(600)
    const nextRead = await vi.waitFor(
      async () => {
        expect((await live('a1'))?.total).toBe(300)
        const calls = (await count()) - first
        expect(calls).toBeGreaterThan(0)
        return calls
      },
      { timeout: 60_000 },
    )
    expect(nextRead).toBe(300)
  })

  it('removes calls without a record', async () => {
    const key = `call:${t.sids.a1}:${randomUUID()}`
    await platform.redis.client.zadd('active-call-sids', Date.now() - 120_000, key)
    expect((await live('a1'))?.total).toBe(0)
    expect(await platform.redis.client.zscore('active-call-sids', key)).toBeNull()
  })

  it('hangs up through the feature server of the call, and audits it', async () => {
    const sid = await platform.call(t.sids.a1, {}, fs.url)
    const answer = await t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/Calls/${sid}`, {
      call_status: 'completed',
    })
    expect(answer.statusCode).toBe(202)
    expect(fs.requests).toEqual([
      { method: 'POST', url: `/v1/updateCall/${sid}`, body: { call_status: 'completed' } },
    ])
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1, kind: 'call' } })
    expect(data[0]).toMatchObject({
      sid,
      action: 'update',
      account_sid: t.sids.a1,
      after: { call_status: 'completed' },
    })
  })

  it.each<object>([
    { call_hook: 'https://example.com/hook' },
    { call_hook: { url: '/next' }, child_call_hook: { url: '/other' } },
    { mute_status: 'unmute' },
    { whisper: { verb: 'say', text: 'One minute left' } },
    { whisper: { verb: 'play', url: 'https://example.com/tone.mp3' }, mute_status: 'mute' },
    {
      noise_isolation_status: 'enable',
      noise_isolation_vendor: 'krisp',
      noise_isolation_level: 50,
    },
    { noise_isolation_status: 'disable' },
    { agent_update: { type: 'inject_context', messages: [{ role: 'user', content: 'x' }] } },
    { transfer: { type: 'blind', to: [{ type: 'phone', number: '1500' }] } },
    { call_status: 'no-answer' },
    { dub: { verb: 'dub', action: 'addTrack', track: 'a' } },
    { conf_mute_status: 'mute' },
    { conf_hold_status: 'hold', waitHook: '/wait' },
    { listen_status: 'pause' },
    { transcribe_status: 'resume' },
    { llm_status: 'move-to-conference', conference: 'room' },
    { llm_update: { type: 'session.update' } },
    { llm_tool_output: { data: 1 }, tool_call_id: 'x' },
    { room_say: { text: 'x', replace: true } },
    { room_play: { url: 'https://example.com/a.mp3' } },
    { sip_request: { method: 'INFO', content_type: 'text/plain', content: 'x' } },
    { record: { action: 'startCallRecording', siprecServerURL: 'sip:rec@example.com' } },
    { record: { action: 'pauseCallRecording', type: 'cloud' } },
    { conferenceParticipantAction: { action: 'coach', tag: 'x' } },
    { dtmf: { digit: '7', duration: 100 } },
    { boostAudioSignal: '+3 dB' },
    { media_path: 'no-media' },
    { tag: { a: 1 } },
  ])('relays what the platform’s SDK sends: %j', async (body) => {
    const sid = await platform.call(t.sids.a1, {}, fs.url)
    for (const method of ['PUT', 'POST']) {
      const path = `/Accounts/${t.sids.a1}/Calls/${sid}`
      expect((await t.request('a1', method, path, body)).statusCode).toBe(202)
      expect(fs.requests.at(-1)).toEqual({ method: 'POST', url: `/v1/updateCall/${sid}`, body })
    }
  })

  it('relays the feature server’s response, except for 401', async () => {
    const sid = await platform.call(t.sids.a1, {}, fs.url)
    const sendCommand = (body: object) =>
      t.request('a1', 'POST', `/Accounts/${t.sids.a1}/Calls/${sid}`, body)
    fs.respondWith({ status: 200, body: '{"status":481}' })
    const request = { method: 'INFO', content_type: 'text/plain', content: 'canary-7' }
    const info = await sendCommand({ sip_request: request })
    expect([info.statusCode, info.json()]).toEqual([200, { status: 481 }])
    fs.respondWith({ status: 404, body: 'Call not found', type: 'text/plain' })
    const gone = await sendCommand({ call_status: 'completed' })
    expect([gone.statusCode, gone.json()]).toEqual([404, { msg: 'Call not found' }])
    fs.respondWith({ status: 500, body: '{"message":"broken"}' })
    expect((await sendCommand({ mute_status: 'mute' })).json()).toEqual({
      message: 'broken',
      msg: 'broken',
    })
    fs.respondWith({ status: 401 })
    expect((await sendCommand({ mute_status: 'mute' })).statusCode).toBe(502)
    fs.respondWith({ status: 202, body: 'x'.repeat(2_000_000) })
    expect((await sendCommand({ mute_status: 'mute' })).statusCode).toBe(502)
    const rows = await t.db.selectFrom('switchroom_audit').selectAll().execute()
    expect(JSON.stringify([rows, t.lines])).not.toContain('canary-7')
  })

  it('times out', async () => {
    const sid = await platform.call(t.sids.a1, {}, fs.url)
    fs.respondWith({ status: 202, late_ms: 60_000 })
    const answer = await t.request('a1', 'PUT', `/Accounts/${t.sids.a1}/Calls/${sid}`, {
      call_status: 'completed',
    })
    expect([answer.statusCode, answer.json().msg]).toEqual([
      502,
      'The feature server does not answer',
    ])
  })

  it('calls with an application of the account', async () => {
    await platform.redis.addToSet('default:fs-service-url', fs.url)
    fs.respondWith({ status: 201, body: JSON.stringify({ sid: randomUUID() }) })
    const application = async (who: string) =>
      (
        await t.as(who)(api.applications.create, {
          body: {
            name: 'ivr',
            call_hook: { url: 'https://example.com/app', method: 'POST' },
            call_status_hook: { url: 'https://example.com/status', method: 'POST' },
          },
        })
      ).sid
    const own = await application('a1')
    const body = { ...whole, application_sid: own, tag: { a: 1 }, account_sid: t.sids.b1 }
    expect((await create('a1', t.sids.a1, body)).statusCode).toBe(201)
    expect(fs.requests[0]).toMatchObject({
      url: '/v1/createCall',
      body: {
        account_sid: t.sids.a1,
        call_hook: { url: 'https://example.com/app' },
        tag: { a: 1 },
        from: '1500',
      },
    })
    for (const foreign of [await application('a2'), await application('b1'), randomUUID()]) {
      const answer = await create('admin', t.sids.a1, { ...newCall, application_sid: foreign })
      expect([answer.statusCode, answer.json().msg]).toEqual([
        400,
        `application_sid not found ${foreign}`,
      ])
    }
    expect((await create('a1', t.sids.a1, whole)).statusCode).toBe(201)
    expect(fs.requests[1]?.body).toMatchObject({
      call_hook: { url: 'https://example.com/hook', method: 'POST' },
    })
    const provider = await create('sp1', t.sids.a1, whole)
    expect([provider.statusCode, provider.json().msg]).toEqual([
      400,
      `unauthorized createCall request for account ${t.sids.a1}`,
    ])
    fs.respondWith({ status: 500, body: 'no trunk', type: 'text/plain' })
    const failed = await create('a1', t.sids.a1, whole)
    expect([failed.statusCode, failed.json().msg]).toEqual([502, 'no trunk'])
    expect(fs.requests).toHaveLength(3)
  })

  it('removes a call without hanging up', async () => {
    const sid = await platform.call(t.sids.a1, {}, fs.url)
    await t.as('a1')(api.liveCalls.forget, ofCall(sid))
    expect(await platform.redis.listCalls(t.sids.a1)).toEqual([])
    expect(fs.requests).toEqual([])
    await expect(t.as('a1')(api.liveCalls.forget, ofCall(sid))).rejects.toMatchObject({
      status: 404,
    })
  })

  it('sends messages for the account only', async () => {
    await platform.redis.addToSet('default:fs-service-url', fs.url)
    fs.respondWith({ status: 201, body: '{"sid":"m1"}' })
    const body = { from: '1', to: '2', text: 'hello' }
    const path = `/Accounts/${t.sids.a1}/Messages`
    const sent = await t.request('a1', 'POST', path, body)
    expect([sent.statusCode, sent.json()]).toEqual([201, { sid: 'm1' }])
    expect(fs.requests[0]?.body).toMatchObject({ ...body, account_sid: t.sids.a1 })
    for (const [msg, change] of [
      ['missing from property', { from: '' }],
      ['missing to property', { to: undefined }],
      ['either text or media required in outbound message', { text: undefined }],
    ] as const)
      expect((await t.request('a1', 'POST', path, { ...body, ...change })).json().msg).toBe(msg)
    const refused = await t.request('admin', 'POST', path, body)
    expect([refused.statusCode, refused.json().msg]).toEqual([
      400,
      `unauthorized createMessage request for account ${t.sids.a1}`,
    ])
    fs.respondWith({ status: 503 })
    expect((await t.request('a1', 'POST', path, body)).statusCode).toBe(502)
  })
})
