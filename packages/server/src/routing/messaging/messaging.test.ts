import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@switchroom/contract'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { oracle } from '../../../test/oracle.ts'
import { featureServer } from '../../../test/stand-ins/feature-server.ts'

/** Modules that misbehave, beside the published ones. */
const folder = mkdtempSync(join(tmpdir(), 'switchroom-messaging-'))
const wicked = join(folder, 'wicked.cjs')
writeFileSync(
  wicked,
  `module.exports = {
    fromProviderFormat: (opts, body) => {
      console.log('CANARY', body)
      if (body.spin) for (;;);
      if (body.late) return new Promise(() => {})
      if (body.reject) return Promise.reject(new Error('CANARY'))
      if (body.exit) process.exit(3)
      if (body.crash) setTimeout(() => { throw new Error('CANARY') }, 0)
      if (body.crash) return new Promise(() => {})
      return { ...opts, ...body.as }
    },
    formatProviderResponse: 204,
    sendSms: (options, body) => {
      if (body.hang) return new Promise(() => {})
      throw new Error('CANARY ' + options.auth.password)
    },
  }`,
)
const silent = join(folder, 'silent.cjs')
writeFileSync(silent, 'module.exports = { sendSms: "no function" }')
const broken = join(folder, 'broken.cjs')
writeFileSync(broken, 'throw new Error("CANARY")')

type HookRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
/** A carrier that takes messages. */
async function carrier() {
  const requests: HookRequest[] = []
  const answer = { status: 200, body: '{"id":"abc"}' }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    answer,
    url: `http://127.0.0.1:${port}/send`,
    close: () => server.close(),
  }
}

let t: TestApp
let fs: Awaited<ReturnType<typeof featureServer>>
let sms: Awaited<ReturnType<typeof carrier>>
let app: string
let bare: string
const hook = (of: string) => ({
  url: `https://app.example.com/${of}`,
  method: 'POST' as const,
  username: 'jane',
  password: 'hook-pass',
})

/** Who takes calls and messages, as feature servers make themselves known. */
async function listenForMessages(urls: string[]) {
  if (!t.redis) {
    t.ctx.state.featureServers = async () => urls
    return
  }
  const redis = new Redis(t.redis)
  await redis.del('default:fs-service-url')
  if (urls.length > 0) await redis.sadd('default:fs-service-url', ...urls)
  redis.disconnect()
}
const inbound = (provider: string, body: unknown, headers = {}) =>
  t.request('', 'POST', `/messaging/${provider}`, body, headers)
const outbound = (body: object, headers = {}) =>
  t.request('', 'POST', '/outboundSMS', body, headers)

beforeAll(async () => {
  ;[fs, sms] = [await featureServer(), await carrier()]
  const options = { url: sms.url, auth: { username: 'us', password: 'CANARY-pass' } }
  const providers = {
    peerless: { module: '@jambonz/messaging-peerless', options },
    simwood: { module: '@jambonz/messaging-simwood', options },
    '382com': { module: '@jambonz/messaging-382com', options },
    wicked: { module: wicked, options },
    silent: { module: silent, options },
    broken: { module: broken, options },
    absent: { module: '@example/not-installed', options },
    addressless: { module: '@jambonz/messaging-simwood' },
    nothing: { options },
  }
  t = await testApp({ JAMBONES_MESSAGING: JSON.stringify(providers) })
  const hooks = { call_hook: hook('call'), call_status_hook: hook('status') }
  ;({ sid: app } = await t.as('a1')(api.applications.create, {
    body: { name: 'texts', ...hooks, messaging_hook: hook('message'), env_vars: { A: 'b' } },
  }))
  ;({ sid: bare } = await t.as('a1')(api.applications.create, {
    body: { name: 'calls only', ...hooks },
  }))
  for (const [number, application_sid] of [
    ['17743008772', app],
    ['15085710838', app],
    ['3393646057', app],
    ['1000', bare],
    ['1001', null],
  ] as const)
    await t.as('a1')(api.phoneNumbers.create, { body: { number, application_sid } })
})
afterAll(async () => {
  await t.close()
  fs.close()
  sms.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  fs.requests.length = sms.requests.length = t.lines.length = 0
  fs.respondWith({ status: 200, body: '"b7f6"' })
  Object.assign(sms.answer, { status: 200, body: '{"id":"abc"}' })
  await listenForMessages([fs.url])
})
afterEach(() => {
  // no message or password is ever logged
  expect(t.lines.join('\n')).not.toMatch(/CANARY|hook-pass|Hi there/)
})

const peerless = {
  from: '+15083084809',
  recipients: ['+17743008772'],
  ccRecipients: [],
  text: 'Hi there!',
  mediaURL: null,
  contentId: null,
}
const simwood = {
  app: 'sms_inbound',
  id: '9a171a847f3238d8e3b33120d2a',
  data: {
    destination: '15085710838',
    length: 8,
    message: 'Hi there',
    originator: '15083084809',
    time: '2020-10-06 20:36:05',
  },
}
const of382 = { source: '5083084809', destination: '3393646057', type: 'sms', message: 'Hi there' }
const as = (message: object) => ({ as: message })

describe('a message from a carrier', () => {
  it.each([
    ['peerless', peerless, { from: '15083084809', to: ['17743008772'], text: 'Hi there!' }],
    ['simwood', simwood, { from: '15083084809', to: ['15085710838'], text: 'Hi there' }],
    ['382com', of382, { from: '5083084809', to: ['3393646057'], text: 'Hi there' }],
  ])('of %s reaches its application’s feature server', async (name, body, message) => {
    const answer = await inbound(name, body)
    expect(answer.statusCode).toBe(200)
    if (name === 'peerless') expect(answer.json()).toEqual({ receipt: 'b7f6', status: 'accepted' })
    else expect(answer.body).toBe('')
    expect(fs.requests).toMatchObject([
      {
        url: `/v1/messaging/${name}`,
        body: {
          ...message,
          messageSid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          app: { application_sid: app, account_sid: t.sids.a1, messaging_hook: hook('message') },
        },
      },
    ])
  })

  it('is accepted as a form', async () => {
    const form = new URLSearchParams(of382).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await inbound('382com', form, type)).statusCode).toBe(200)
    expect(fs.requests).toHaveLength(1)
  })

  it('includes the application as the platform looks it up', async () => {
    await inbound('peerless', peerless)
    const sent = (fs.requests[0]!.body as { app: object }).app
    expect(sent).toMatchObject({
      env_vars: expect.stringContaining('"iv"'),
      call_hook: hook('call'),
    })
    if (process.env.TEST_DATABASE !== 'mysql') return
    const platform = oracle()
    const known = await platform.lookupAppByPhoneNumber('17743008772', undefined as never)
    await platform.close()
    // times are the reader's own
    const withoutTime = (application: object | null) => ({ ...application, created_at: null })
    const { messaging_hook_sid: webhook_sid } = known as unknown as { messaging_hook_sid: string }
    expect(withoutTime(sent)).toEqual({
      ...withoutTime(JSON.parse(JSON.stringify(known))),
      // which newer versions of it leave out
      messaging_hook: { webhook_sid, ...hook('message') },
    })
  })

  it('goes to the first number with an application, including copies', async () => {
    const to = ['+999', '+1000']
    const refused = await inbound('wicked', as({ to, cc: ['+17743008772'] }))
    expect([refused.statusCode, fs.requests]).toEqual([404, []])
    expect((await inbound('wicked', as({ to: [999], cc: [17743008772] }))).statusCode).toBe(204)
    expect(fs.requests).toHaveLength(1)
    await t.db
      .insertInto('call_routes')
      .values(
        [
          ['(((1*)*)*)*x$', bare],
          ['(', bare],
          ['^10', app],
        ].map(([regex, application_sid], priority) => ({
          call_route_sid: crypto.randomUUID(),
          account_sid: t.sids.a1,
          priority,
          regex: regex!,
          application_sid: application_sid!,
        })),
      )
      .execute()
    expect((await inbound('wicked', as({ to: ['1001'] }))).statusCode).toBe(204)
    expect(fs.requests[1]).toMatchObject({ body: { app: { application_sid: app } } })
  })

  it.each([
    ['of nobody', 'nobody', {}, 404],
    ['of one without a module', 'nothing', {}, 404],
    ['of a module that only sends', 'silent', {}, 404],
    ['of a module that is not there', 'absent', {}, 500],
    ['of a module that cannot be loaded', 'broken', {}, 500],
    ['to no number of ours', 'peerless', { ...peerless, recipients: ['+1'] }, 404],
    ['to nobody', 'wicked', as({ to: [] }), 404],
    ['to an application without a messaging hook', 'wicked', as({ to: ['1000'] }), 404],
    ['that is empty', 'peerless', {}, 400],
    ['that is an array', 'peerless', [], 400],
    ['of wrong types', 'peerless', { ...peerless, recipients: 7, from: {} }, 400],
    ['whose numbers are no list', 'wicked', as({ to: '17743008772' }), 400],
    ['whose numbers are no numbers', 'wicked', as({ to: [{}, null, '17743008772'] }), 400],
    ['that is refused', 'wicked', { reject: 1 }, 400],
    ['that never ends', 'wicked', { late: 1 }, 500],
    ['that spins', 'wicked', { spin: 1 }, 500],
    ['that ends the module', 'wicked', { exit: 1 }, 400],
    ['that lets the module crash', 'wicked', { crash: 1 }, 400],
    ['that is too long', 'wicked', { text: 'x'.repeat(102_400) }, 413],
  ])('%s is rejected', async (_, provider, body, status) => {
    expect((await inbound(provider, body)).statusCode).toBe(status)
    expect(fs.requests).toEqual([])
    // and the next one is taken
    expect((await inbound('wicked', as({ to: ['17743008772'] }))).statusCode).toBe(204)
  })

  it('finds a number with a plus', async () => {
    expect((await inbound('wicked', as({ to: ['+17743008772'] }))).statusCode).toBe(204)
  })

  it('suppresses a module’s output', () => {
    const program = `import { providerModules } from '../../sms-modules/modules.ts'
      const modules = providerModules(2_000)
      await modules.convert(${JSON.stringify(wicked)}, 'sid', { as: {} })
      await modules.close()`
    const run = ['--input-type=module', '--eval', program]
    const { status, stdout, stderr } = spawnSync(process.execPath, run, {
      cwd: import.meta.dirname,
    })
    expect([status, String(stdout), String(stderr)]).toEqual([0, '', ''])
  })

  it('looks up a hundred numbers at most', async () => {
    const many = Array.from({ length: 9_000 }, (_, i) => `77${i}`)
    const at = (place: number) => as({ to: many.toSpliced(place, 0, '17743008772') })
    expect((await inbound('wicked', at(99))).statusCode).toBe(204)
    expect((await inbound('wicked', at(100))).statusCode).toBe(404)
  })

  it('needs a feature server that accepts it', async () => {
    await listenForMessages([])
    const none = await inbound('peerless', peerless)
    expect([none.statusCode, none.json().msg]).toEqual([
      480,
      'no available feature servers at this time',
    ])
    await listenForMessages(['http://127.0.0.1:1'])
    expect((await inbound('peerless', peerless)).statusCode).toBe(500)
    await listenForMessages([fs.url])
    fs.respondWith({ status: 404 })
    expect((await inbound('peerless', peerless)).statusCode).toBe(500)
  })
})

describe('a message to a carrier', () => {
  const message = { from: '+15083084809', to: '+17743008772', text: 'Hi there' }
  const auth = `Basic ${Buffer.from('us:CANARY-pass').toString('base64')}`

  it.each([
    [undefined, { from: '+15083084809', recipients: ['+17743008772'], text: 'Hi there' }],
    ['peerless', { from: '+15083084809', recipients: ['+17743008772'], text: 'Hi there' }],
    ['simwood', { from: '+15083084809', to: '+17743008772', message: 'Hi there' }],
  ])('is sent with %s', async (provider, body) => {
    const answer = await outbound({ ...message, ...(provider && { provider }) })
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: 'abc' }])
    expect(sms.requests).toMatchObject([{ method: 'POST', headers: { authorization: auth } }])
    expect(JSON.parse(sms.requests[0]!.body)).toMatchObject(body)
  })

  it('is sent with 382com, which answers in text', async () => {
    const answer = await outbound({ ...message, provider: '382com' })
    expect([answer.statusCode, answer.body]).toEqual([200, '{"id":"abc"}'])
    const sent = new URL(sms.requests[0]!.url, 'http://x').searchParams
    expect([sent.get('pass'), sent.get('message')]).toEqual(['CANARY-pass', 'Hi there'])
  })

  it('that the carrier refuses has no response, as in the modules', async () => {
    sms.answer.status = 401
    const answer = await outbound(message)
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(t.lines.join('\n')).toContain('SMS provider did not answer')
  })

  it.each([
    ['nobody', 'outboundSMS - unable to locate sms provider to use to send message'],
    ['nothing', 'outboundSMS - unable to locate sms provider to use to send message'],
    ['addressless', 'outboundSMS - provider addressless has no options.url'],
    ['silent', 'outboundSMS - the module of silent sends no messages'],
    ['wicked', 'The module of SMS provider wicked could not send the message'],
    ['absent', expect.stringContaining('cannot be loaded: @example/not-installed')],
    ['broken', 'The module of SMS provider broken cannot be loaded'],
  ])('is rejected by %s', async (provider, msg) => {
    const answer = await outbound({ ...message, provider })
    expect([answer.statusCode, answer.json().msg]).toEqual([500, msg])
    expect(answer.body).not.toContain('CANARY')
  })

  it('times out when the carrier never answers', async () => {
    const answer = await outbound({ ...message, provider: 'wicked', hang: 1 })
    expect([answer.statusCode, answer.json().msg]).toEqual([
      500,
      'The module of SMS provider wicked could not send the message in time',
    ])
  })

  it('is accepted only from a private network, not through a proxy or a web page', async () => {
    for (const headers of [
      { 'x-forwarded-for': '10.0.0.1' },
      { forwarded: 'for=10.0.0.1' },
      { 'x-real-ip': '10.0.0.1' },
      { origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await outbound(message, headers)).statusCode).toBe(403)
    const far = await t.app.inject({
      method: 'POST',
      url: '/v1/outboundSMS',
      payload: message,
      remoteAddress: '203.0.113.9',
    })
    expect(far.statusCode).toBe(403)
    expect(sms.requests).toEqual([])
  })
})

describe('the configuration', () => {
  it.each([
    ['not json CANARY', 'not valid JSON; text messages are off'],
    ['{"a":{"module":7}}', 'a.module is not valid; text messages are off'],
    ['{"a":{"module":"@example/b"}}', 'a needs @example/b, which is not installed'],
    ['{"a":{}}', 'a names no module'],
  ])('%s is named in the log at start', async (text, problem) => {
    const off = await testApp({ JAMBONES_MESSAGING: text })
    expect(off.lines.join('\n')).toContain(`JAMBONES_MESSAGING: ${problem}`)
    expect(off.lines.join('\n')).not.toContain('CANARY')
    await off.close()
  })

  it('is off by default, and rejected senders are counted by address', async () => {
    const off = await testApp({ DISABLE_RATE_LIMITS: '0', RATE_LIMIT_MAX_PER_WINDOW: '2' })
    const statuses = []
    for (const bearer of ['one', 'two', 'three'])
      statuses.push((await off.request(bearer, 'POST', '/messaging/peerless', {})).statusCode)
    expect(statuses).toEqual([404, 404, 429])
    await off.close()
  })
})
