import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applicationAt, hook, PASSWORD, playRun, SECRET } from '../../../test/runs.ts'
import {
  type HookAnswer,
  type HookRequest,
  httpApplication,
} from '../../../test/stand-ins/voice-applications.ts'
import { outbound } from '../../outbound/outbound.ts'

let answers: Record<string, HookAnswer | ((request: HookRequest) => HookAnswer)>
let app: Awaited<ReturnType<typeof httpApplication>>
beforeEach(async () => {
  answers = {}
  app = await httpApplication((request) => {
    const answer = answers[request.path.split('?')[0]!]
    return typeof answer === 'function' && answer.length === 1 && !('writeHead' in answer)
      ? (answer as (request: HookRequest) => HookAnswer)(request)
      : ((answer as HookAnswer | undefined) ?? 204)
  })
})
afterEach(() => app.close())

const at = (path = '/call', more = {}) =>
  applicationAt(app.url + path, { call_status_hook: hook(`${app.url}/status`), ...more })
const statuses = () => app.at('/status').map((body) => body.call_status)

const MENU = [
  {
    verb: 'gather',
    input: ['digits', 'speech'],
    numDigits: 1,
    actionHook: '/menu',
    say: { text: 'Press or say one.' },
  },
  { verb: 'say', text: 'Goodbye' },
  { verb: 'hangup' },
]

describe('the worked examples', () => {
  it('sends the first message as the platform does', async () => {
    answers['/call'] = MENU
    await playRun(
      at('/call', {
        env_vars: { GREETING: 'Hi' },
        call_hook: hook(`${app.url}/call?a=1`, { username: 'jambonz', password: PASSWORD }),
      }),
      [{ kind: 'hang_up' }],
    )
    const [first] = app.requests
    expect(first).toMatchObject({
      method: 'POST',
      path: '/call?a=1',
      headers: {
        'user-agent': 'jambonz',
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`jambonz:${PASSWORD}`).toString('base64')}`,
        b3: expect.stringMatching(/^[\da-f]{32}-[\da-f]{16}-1$/),
        'jambonz-signature': expect.stringMatching(/^t=\d+,v1=[\da-f]{64}$/),
      },
      body: {
        direction: 'inbound',
        caller_name: 'Ann',
        from: '15551230001',
        to: '15551230002',
        has_recording: false,
        sip_status: 100,
        sip_reason: 'Trying',
        call_status: 'trying',
        local_sip_address: expect.any(String),
        service_provider_sid: '2708b1b3-0000-4000-8000-000000000003',
        defaults: {
          synthesizer: { vendor: 'acme', language: 'en-US', voice: 'en-US-A' },
          recognizer: { vendor: 'acme', language: 'en-US' },
        },
        env_vars: { GREETING: 'Hi' },
        sip: { method: 'INVITE', headers: { 'X-Account-Sid': expect.any(String) } },
      },
    })
    expect(first!.body).not.toHaveProperty('fs_sip_address')
    expect(first!.body).not.toHaveProperty('api_base_url')
    expect(first!.text).toBe(JSON.stringify(first!.body))
  })

  it('posts what a gather heard, and runs the verbs that come back instead', async () => {
    answers['/call'] = MENU
    answers['/menu'] = [
      { verb: 'dial', target: [{ type: 'phone', number: '15551239999' }], actionHook: '/after' },
    ]
    const run = await playRun(at(), [
      { kind: 'speech', text: 'one', confidence: 0.93 },
      { kind: 'busy' },
    ])
    expect(app.at('/menu')).toEqual([
      expect.objectContaining({
        call_status: 'in-progress',
        sip_status: 200,
        fs_sip_address: expect.any(String),
        reason: 'speechDetected',
        speech: {
          language_code: 'en-US',
          channel_tag: 1,
          is_final: true,
          alternatives: [{ confidence: 0.93, transcript: 'one' }],
          vendor: { name: 'acme', evt: { is_final: true } },
        },
      }),
    ])
    expect(app.at('/menu')[0]).not.toHaveProperty('env_vars')
    const child = app.at('/status').find((body) => body.call_status === 'busy')
    expect(child).toMatchObject({
      direction: 'outbound',
      parent_call_sid: app.at('/menu')[0].call_sid,
      sip_status: 486,
      sip_reason: 'Busy Here',
      to: '15551239999',
    })
    expect(app.at('/after')).toEqual([
      expect.objectContaining({
        dial_call_status: 'busy',
        dial_sip_status: 486,
        dial_call_sid: child.call_sid,
      }),
    ])
    expect(statuses()).toEqual(['trying', 'in-progress', 'trying', 'ringing', 'busy', 'completed'])
    expect(app.at('/status').at(-1)).toMatchObject({
      duration: expect.any(Number),
      call_termination_by: 'jambonz',
    })
    expect(run.said).toEqual(['Press or say one.'])
    expect(run.ended).toMatchObject({ by: 'application', is_answered: true, sip_status: null })
  })

  it('posts digits, and goes on with the next verb after an empty answer', async () => {
    answers['/call'] = MENU
    const run = await playRun(at(), [{ kind: 'digits', digits: '1' }])
    expect(app.at('/menu')[0]).toMatchObject({ digits: '1', reason: 'dtmfDetected' })
    expect(run.said).toEqual(['Press or say one.', 'Goodbye'])
    expect(run.ended).toMatchObject({ by: 'application', text: 'The application hangs up.' })
  })

  it.each([
    [{ text: '{"verb":"say","text":"x"}' }, 'malformed jambonz payload: must be array'],
    [[{ verb: 'say', txt: 'x' }], 'say: unknown property txt'],
    [[], 'no application provided'],
    [204, 'malformed jambonz payload: must be array'],
    [201, 'Unexpected HTTP Response'],
    [301, 'Unexpected HTTP Response'],
    [
      { text: '[{"verb":"say","text":"x"}]', type: 'text/html' },
      'malformed jambonz payload: must be array',
    ],
    [
      [{ verb: 'pipeline', llm: { vendor: 'x', llmOptions: {} } }],
      "invalid jambonz verb 'pipeline'",
    ],
    [[{ verb: 'sip:notify' }], 'invalid instruction: sip:notify'],
    [
      [{ verb: 'llm', vendor: 'acme', llmOptions: {} }],
      'The platform has no language model of the vendor acme',
    ],
    [[{ verb: 'openai_s2s', llmOptions: {} }], 'The model of openai needs auth.apiKey'],
  ] satisfies [HookAnswer, string][])('rejects the call for %j', async (answer, x_reason) => {
    answers['/call'] = answer
    const run = await playRun(at())
    expect(run.ended).toMatchObject({
      by: 'platform',
      sip_status: 480,
      x_reason,
      is_answered: false,
    })
    expect(statuses()).toEqual([])
  })

  it('rejects the call of an application without a webhook', async () => {
    const run = await playRun(applicationAt(null))
    expect(run.ended).toMatchObject({ sip_status: 480, x_reason: 'no configured application' })
  })

  it('asks no webhook for the verbs of the application’s own JSON, but for what follows', async () => {
    const run = await playRun(at('/call', { app_json: JSON.stringify(MENU) }), [
      { kind: 'nothing' },
    ])
    expect(app.at('/call')).toEqual([])
    expect(app.at('/menu')[0]).toMatchObject({ reason: 'timeout' })
    expect(run.said).toEqual(['Press or say one.', 'Goodbye'])
    expect(statuses()).toEqual(['trying', 'in-progress', 'completed'])
  })
})

describe('a request', () => {
  /** As the platform's own library verifies: it writes the body anew, and takes any of several signatures. */
  const isSigned = ({ headers, body }: HookRequest, secret: string) => {
    const parts = String(headers['jambonz-signature']).split(',')
    const seconds = parts.find((part) => part.startsWith('t='))!.slice(2)
    const made = createHmac('sha256', secret)
      .update(`${seconds}.${JSON.stringify(body)}`, 'utf8')
      .digest('hex')
    return parts.includes(`v1=${made}`) && Math.abs(Date.now() / 1_000 - Number(seconds)) < 300
  }

  it('has a signature that applications can verify', async () => {
    answers['/call'] = MENU
    await playRun(at('/call', { env_vars: { TEXT: 'grüß – “1”' } }), [
      { kind: 'speech', text: 'für' },
    ])
    expect(app.requests.length).toBeGreaterThan(3)
    for (const request of app.requests) {
      expect(isSigned(request, SECRET)).toBe(true)
      expect(isSigned(request, 'another')).toBe(false)
    }
  })

  it('is a GET without a body where the hook is one, but text is POST', async () => {
    answers['/call'] = [{ verb: 'play', url: 'x.wav', actionHook: '/text' }]
    answers['/text'] = [
      { verb: 'play', url: 'x.wav', actionHook: { url: '/object', method: 'get' } },
    ]
    await playRun(at('/call', { call_hook: hook(`${app.url}/call`, { method: 'GET' }) }))
    const methods = app.requests
      .filter((r) => r.path !== '/status')
      .map((r) => [r.method, r.text !== ''])
    expect(methods).toEqual([
      ['GET', false],
      ['POST', true],
      ['GET', false],
    ])
    expect(app.requests[0]!.headers).toHaveProperty('jambonz-signature')
    expect(app.requests[0]!.headers).not.toHaveProperty('content-type')
  })

  it('is sent again as its hash says, with the same signature', async () => {
    let left = 2
    answers['/call'] = (_: HookRequest) => {
      left -= 1
      return left < 0 ? [{ verb: 'hangup' }] : 503
    }
    const run = await playRun(at('/call#rc=3&rp=ct,5xx'))
    expect(app.at('/call')).toHaveLength(3)
    expect(new Set(app.requests.slice(0, 3).map((r) => r.headers['jambonz-signature'])).size).toBe(
      1,
    )
    // pauses of half a second and a second, of which nothing is spent in fact
    expect(run.of('request')[0]).toMatchObject({ attempts: 3 })
    expect(run.of('request')[1]!.at).toBeGreaterThanOrEqual(1_500)
  })

  it('is not sent again for what its hash does not name', async () => {
    answers['/call'] = 503
    await playRun(at('/call#rc=3'))
    expect(app.at('/call')).toHaveLength(1)
  })

  it('is sent at most five times again when nothing listens', async () => {
    const run = await playRun(applicationAt('http://127.0.0.1:9/x#rc=9'))
    expect(run.of('request')[0]).toMatchObject({
      attempts: 6,
      answer: null,
      problems: [{ text: 'The connection is refused: nothing listens there' }],
    })
    expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
  })

  it('reaches no internal address, and says so', async () => {
    const out = outbound([])
    for (const url of [
      `${app.url}/call`,
      'http://localhost:1/',
      'ws://169.254.169.254/',
      'ws://[::1]:1/',
    ]) {
      const run = await playRun(applicationAt(url), [], { outbound: out })
      expect(run.problems[0]!.text).toContain('The address is in an internal network')
      expect(run.of('request')).toMatchObject([{ attempts: 1 }])
      expect(run.ended).toMatchObject({ by: 'platform', sip_status: 480 })
    }
    expect(app.requests).toEqual([])
  })

  it('reaches no internal address that a hook leads to', async () => {
    for (const actionHook of [
      'http://169.254.169.254/',
      'ws://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
    ]) {
      answers['/call'] = [
        { verb: 'play', url: 'x', actionHook },
        { verb: 'redirect', actionHook },
      ]
      const run = await playRun(at())
      expect(run.problems.map(({ text }) => text)).toEqual([
        expect.stringContaining('internal network'),
        expect.stringContaining('internal network'),
      ])
      expect(run.ended.by).toBe('platform')
    }
  })

  it('shows no secret', async () => {
    const canaries = [
      SECRET,
      PASSWORD,
      'canary-env-key',
      'canary-query-token',
      'c4n4ry-long-value-of-a-variable',
    ]
    const echo = canaries.join(' ')
    answers['/call'] = [
      { verb: 'tag', data: { echo } },
      { verb: 'say', text: echo },
      { verb: 'play', url: `https://x.example/${canaries[2]}` },
      { verb: 'dial', target: [{ type: 'sip', sipUri: `sip:${PASSWORD}@x.example` }] },
    ]
    const run = await playRun(
      at('/call', {
        env_vars: { API_KEY: 'canary-env-key', OTHER: 'c4n4ry-long-value-of-a-variable', PIN: 42 },
        call_hook: hook(`${app.url}/call?token=canary-query-token`, {
          username: 'u',
          password: PASSWORD,
        }),
      }),
      [{ kind: 'busy' }],
    )
    for (const canary of [...canaries, Buffer.from(`u:${PASSWORD}`).toString('base64')])
      expect(run.text).not.toContain(canary)
    expect(run.text).not.toContain('"PIN":42')
    expect(app.requests[0]!.body.env_vars.PIN).toBe(42)
  })
})

describe('an error', () => {
  it('of a gather’s hook is told, and the next verb runs', async () => {
    answers['/call'] = MENU
    answers['/menu'] = 500
    const run = await playRun(at(), [{ kind: 'nothing' }])
    expect(run.said).toEqual(['Press or say one.', 'Goodbye'])
    expect(app.at('/status').find((body) => body.error)).toMatchObject({
      call_status: 'in-progress',
      error: 'invalid actionHook response',
      reason: expect.any(String),
    })
  })

  it('of invalid verbs shows where they are wrong', async () => {
    answers['/call'] = MENU
    answers['/menu'] = [
      { verb: 'say', text: 'x' },
      { verb: 'pause', length: 'long' },
    ]
    const run = await playRun(at(), [{ kind: 'nothing' }])
    expect(run.problems).toEqual([
      { path: [1, 'length'], text: 'pause: property length has invalid data type' },
    ])
    expect(run.said).not.toContain('x')
  })

  it('of a redirect ends the call', async () => {
    answers['/call'] = [
      { verb: 'answer' },
      { verb: 'redirect', actionHook: '/no' },
      { verb: 'say', text: 'x' },
    ]
    answers['/no'] = 404
    const run = await playRun(at())
    expect(run.said).toEqual([])
    expect(run.ended).toMatchObject({ by: 'platform', is_answered: true })
  })

  it('of the status hook is shown only', async () => {
    answers['/status'] = 500
    answers['/call'] = [{ verb: 'say', text: 'x' }]
    const run = await playRun(at())
    expect(run.said).toEqual(['x'])
    expect(run.ended.by).toBe('application')
  })

  it('of a hook that leads nowhere is told', async () => {
    answers['/call'] = [{ verb: 'play', url: 'x', actionHook: 'menu' }]
    const run = await playRun(at())
    expect(run.problems[0]!.text).toContain('menu is not a valid hook')
  })
})
