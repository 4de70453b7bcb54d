import { randomUUID } from 'node:crypto'
import { api, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
let selfHosted: TestApp
beforeAll(async () => {
  selfHosted = await testApp()
  // last, because each empties Redis
  t = await testApp({ ENABLE_HOSTED_SYSTEM: '1' })
})
afterAll(async () => {
  await t.close()
  await selfHosted.close()
})

type Media = Record<string, { schema: object }>
type Described = {
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; in: string }[]
        requestBody?: { content: Media }
        responses: Record<string, { content?: Media }>
      }
    >
  >
}

it.each([
  ['the hosted variant', 'selfHosted'],
  ['a self-hosted server', 'hosted'],
] as const)('describes every endpoint of %s with its parameters', async (variant, other) => {
  const { app } = variant === 'the hosted variant' ? t : selfHosted
  const document = (await app.inject('/openapi.json')).json() as Described
  expect(document.openapi).toBe('3.1.0')
  const endpoints = Object.values(api)
    .flatMap((g) => Object.values(g as Record<string, Endpoint>))
    .filter((e) => !e[other])
  for (const e of endpoints) {
    const operation = document.paths[e.path.replace(/:(\w+)/g, '{$1}')]?.[e.method.toLowerCase()]
    expect(operation, `${e.method} ${e.path}`).toBeDefined()
    const named = operation!.parameters.filter((p) => p.in === 'path').map((p) => p.name)
    expect(named).toEqual([...e.path.matchAll(/:(\w+)/g)].map((m) => m[1]))
  }
  const described = Object.values(document.paths).flatMap((p) => Object.keys(p))
  expect(described).toHaveLength(endpoints.length)
})

it('documents request and response types and all statuses', async () => {
  const { paths } = (await t.app.inject('/openapi.json')).json() as Described
  const types = (content: Media | undefined) => Object.keys(content ?? {})
  const load = paths['/PhoneNumbers/Import']!.post!
  expect(types(load.requestBody?.content)).toEqual(['text/csv'])
  expect(types(load.responses[200]?.content)).toEqual(['application/x-ndjson'])
  const save = paths['/RecentCalls/Export']!.get!
  expect(types(save.responses[200]?.content)).toEqual(['text/csv', 'application/x-ndjson'])
  const change = paths['/Applications/{application_sid}']!
  expect(change.put!.parameters).toContainEqual(
    expect.objectContaining({ name: 'If-Match', in: 'header' }),
  )
  const statuses = (o: Described['paths'][string][string]) => Object.keys(o.responses)
  expect(statuses(change.put!)).toEqual(
    expect.arrayContaining(['204', '400', '409', '413', '422', '500', '503']),
  )
  for (const status of ['409', '413', '416', '480', '502'])
    expect(statuses(change.get!)).not.toContain(status)
  const sound =
    '/Accounts/{account_sid}/RecentCalls/{call_sid}/record/{year}/{month}/{day}/{format}'
  expect(statuses(paths[sound]!.get!)).toEqual(expect.arrayContaining(['200', '206', '416']))
})

/** The least of each type that can be sent. */
const LEAST: Record<string, string> = {
  'application/json': '{}',
  'text/csv': 'name\r\n',
  'multipart/form-data': '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
}

it('accepts every documented body type', async () => {
  const { paths } = (await t.app.inject('/openapi.json')).json() as Described
  let sent = 0
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      for (const type of Object.keys(requestBody?.content ?? {})) {
        const answer = await t.app.inject({
          method: method as 'POST',
          url: `/v1${path.replace(/\{\w+\}/g, randomUUID())}`,
          payload: LEAST[type]!,
          headers: {
            'content-type': type === 'multipart/form-data' ? `${type}; boundary=x` : type,
            authorization: `Bearer ${t.bearer.a1}`,
          },
        })
        const { msg } = (answer.body.startsWith('{"msg') ? answer.json() : {}) as { msg?: string }
        expect(answer.statusCode, `${method} ${path}`).not.toBe(415)
        expect(['Send JSON', 'Send text/csv', 'Send multipart/form-data']).not.toContain(msg)
        sent++
      }
  expect(sent).toBeGreaterThan(80)
})

it('shows the reference without a script', async () => {
  const page = await t.app.inject('/docs')
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('/PhoneNumbers/{phone_number_sid}')
  expect(page.body).not.toContain('<script')
  const examples = [
    'curl --globoff',
    'await switchroom.phoneNumbers.create(',
    'switchroom phone-numbers create',
  ]
  for (const shown of [
    ...['If-Match', 'Body, text/csv', 'Response 206, audio/*', '<h4>Errors</h4>'],
    ...examples,
  ])
    expect(page.body).toContain(shown)
  expect((await t.app.inject('/docs.css')).statusCode).toBe(200)
})

it('is healthy without dependencies, and ready only with its stores', async () => {
  expect((await t.app.inject('/health')).body).toBe('OK')
  const ready = async () => {
    const answer = await t.app.inject('/ready')
    return [answer.statusCode, answer.json()]
  }
  const isReady = { ready: true, failing: [], degraded: [] }
  expect(await ready()).toEqual([200, isReady])
  const { ping } = t.ctx.live
  let pings = 0
  t.ctx.live.ping = async () => {
    pings++
    throw new Error('connect redis.internal:6379')
  }
  const [part, label] = t.ctx.config.redis ? ['redis', 'Redis'] : ['database', 'Database']
  // no host name, and no more than one check per second, whoever asks
  const down = { ready: false, failing: [part], degraded: [], msg: `${label} is failing.` }
  await expect.poll(ready).toEqual([503, down])
  expect(new Set((await Promise.all(Array.from({ length: 100 }, ready))).map(([s]) => s))).toEqual(
    new Set([503]),
  )
  expect(pings).toBeLessThan(3)
  t.ctx.live.ping = ping
  await expect.poll(ready).toEqual([200, isReady])

  t.ctx.health.report('mail', 'failing', 'smtp.internal does not answer')
  t.ctx.health.report('disk', 'degraded', '1 GB free')
  expect(await ready()).toEqual([
    200,
    {
      ready: true,
      failing: [],
      degraded: ['mail', 'disk'],
      msg: 'Email is failing. Disk space is degraded.',
    },
  ])
  t.ctx.health.report('mail', 'ok')
  t.ctx.health.report('disk', 'ok')
  t.ctx.health.draining = true
  const [status, body] = await ready()
  t.ctx.health.draining = false
  expect([status, body]).toMatchObject([503, { ready: false, failing: ['shutting_down'] }])
})

it('measures by declared route, so that no sid reaches the metrics', async () => {
  await t.request('a1', 'GET', `/Accounts/${t.sids.a1}`)
  const { body } = await t.app.inject('/metrics')
  expect(body).toContain('route="/api/v1/Accounts/:account_sid"')
  expect(body).not.toContain(t.sids.a1)
})

it('tells its version to administrators only', async () => {
  const { version } = (await t.request('admin', 'GET', '/SystemHealth')).json()
  expect(version).toBe(manifest.version)
  const paths = ['/', '/config.js', '/openapi.json', '/docs', '/health', '/ready', '/metrics']
  for (const url of [...paths, '/v1/Capabilities', '/api/v1/Capabilities', '/v1/nothing']) {
    const { body, headers } = await t.app.inject(url)
    expect(body.length, url).toBeGreaterThan(0)
    expect(body.includes(version), url).toBe(false)
    expect(JSON.stringify(headers).includes(version), url).toBe(false)
  }
})

it('keeps versions out of the metrics that everybody may read, and closes them on request', async () => {
  const { body } = await t.app.inject('/metrics')
  expect(body).toContain('switchroom_health_state{part="database"} 0')
  expect(body).not.toMatch(/version/)
  const token = 'canary-metrics-token'
  const closed = await testApp({
    SWITCHROOM_METRICS_TOKEN: token,
    SWITCHROOM_METRICS_NETWORKS: '10.0.0.0/8',
  })
  const status = async (authorization?: string, remoteAddress = '192.0.2.1') =>
    (
      await closed.app.inject({
        url: '/metrics',
        remoteAddress,
        ...(authorization && { headers: { authorization } }),
      })
    ).statusCode
  expect(await status()).toBe(401)
  expect(await status('Bearer canary-metrics-toke')).toBe(401)
  expect(await status(undefined, '::ffff:10.1.2.3')).toBe(200)
  expect(await status(`Bearer ${token}`)).toBe(200)
  const open = await closed.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(open.body).toContain('switchroom_build_info{version=')
  expect(closed.lines.join('')).not.toContain('canary')
  await closed.close()
})

it('answers unknown paths in its own error format, with the request id', async () => {
  for (const url of [`/v1/Users/${'x'.repeat(2_000)}`, '/v1/Users/%zz']) {
    const answer = await t.app.inject(url)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, 'The request could not be parsed'])
    expect(answer.body).not.toMatch(/xxx|%zz/)
  }
  for (const url of ['/api/v1/Nothing', '/nothing', '/internal/../etc']) {
    const answer = await t.app.inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({
      code: 'not_found',
      request_id: answer.headers['x-request-id'],
    })
  }
})

it('allows consoles of other origins, without credentials', async () => {
  const answer = await t.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/Accounts',
    headers: { origin: 'https://console.example.com', 'access-control-request-method': 'PUT' },
  })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
})

it('forbids everything inline', async () => {
  const policy = (await t.app.inject('/config.js')).headers['content-security-policy']
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toMatch(/unsafe|\*/)
})

it('allows Stripe on the billing pages only', async () => {
  const policyOf = async (environment: Record<string, string>) => {
    const app = await testApp(environment)
    const { headers } = await app.app.inject('/config.js')
    await app.close()
    return String(headers['content-security-policy'])
  }
  const key = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  expect(await policyOf(key)).not.toContain('stripe')
  const policy = await policyOf({ ...key, ENABLE_HOSTED_SYSTEM: '1' })
  expect(policy).toContain("script-src 'self' https://js.stripe.com;")
  expect(policy).toContain('frame-src https://js.stripe.com https://hooks.stripe.com')
  expect(policy).toContain("connect-src 'self' https://api.stripe.com;")
})

it('rate-limits callers and sets Retry-After', async () => {
  const slow = await testApp({
    DISABLE_RATE_LIMITS: '0',
    RATE_LIMIT_MAX_PER_WINDOW: '3',
    RATE_LIMIT_BY: 'system',
  })
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await slow.request('admin', 'GET', '/Accounts'))
  expect(answers.map((a) => a.statusCode)).toEqual([200, 200, 200, 429, 429])
  expect(answers[4]!.json()).toMatchObject({
    msg: 'Too many requests, please try again later.',
    code: 'too_many',
  })
  expect(Number(answers[4]!.headers['retry-after'])).toBeGreaterThan(0)
  expect((await slow.app.inject('/health')).statusCode).toBe(200)
  await slow.close()
})

describe('request limits', () => {
  const limited = (environment: Record<string, string> = {}) =>
    testApp({ DISABLE_RATE_LIMITS: '0', RATE_LIMIT_MAX_PER_WINDOW: '3', ...environment })
  type App = Awaited<ReturnType<typeof limited>>
  const statuses = async (
    app: App,
    callers: string[],
    headers: Record<string, string>[] = [{}],
  ) => {
    const found = []
    for (const who of callers)
      for (const more of headers)
        found.push((await app.request(who, 'GET', '/Accounts', undefined, more)).statusCode)
    return found
  }
  const made = ['one', 'two', 'three', 'four', 'five']

  it('cannot be stepped around with made-up tokens or headers', async () => {
    const app = await limited()
    expect(await statuses(app, made)).toEqual([401, 401, 401, 429, 429])
    const forged = made.map((m) => ({ 'x-forwarded-for': `192.0.2.${m.length}`, 'x-real-ip': m }))
    expect(await statuses(app, ['other'], forged)).toEqual([429, 429, 429, 429, 429])
    const [header, payload] = app.bearer.a1!.split('.')
    expect(await statuses(app, [`${header}.${payload}.AAAA`])).toEqual([429])
    await app.close()
  })

  it('are counted per user and key, whom strangers of the same network do not hinder', async () => {
    const app = await limited()
    expect(await statuses(app, ['a1-key'])).toEqual([200])
    await statuses(app, made)
    expect(await statuses(app, ['a1', 'a1', 'a1', 'a1', 'a2'])).toEqual([200, 200, 200, 429, 200])
    // accepted before
    expect(await statuses(app, ['a1-key', 'a1-key', 'a1-key'])).toEqual([200, 200, 429])
    // never seen: it might be made up
    expect(await statuses(app, ['b1-key'])).toEqual([429])
    await app.close()
  })

  it('are counted for the session although it has ended', async () => {
    const app = await limited()
    expect(await statuses(app, ['revoked', 'revoked', 'revoked', 'revoked', 'a1'])).toEqual([
      401, 401, 401, 429, 200,
    ])
    await app.close()
  })

  it('take the address from a trusted proxy only', async () => {
    const app = await limited({ JAMBONES_TRUST_PROXY: '1', RATE_LIMIT_BY: 'ip' })
    const from = (ip: string) => ({ 'x-forwarded-for': ip })
    const one = Array.from({ length: 4 }, (_, i) => from(`198.51.100.${i}, 192.0.2.1`))
    expect(await statuses(app, ['a1'], one)).toEqual([200, 200, 200, 429])
    expect(await statuses(app, ['a1'], [from('192.0.2.2'), { 'x-real-ip': '192.0.2.1' }])).toEqual([
      200, 429,
    ])
    // a /64 is one network
    const six = Array.from({ length: 4 }, (_, i) => from(`2001:db8::${i}`))
    expect(await statuses(app, ['a1'], six)).toEqual([200, 200, 200, 429])
    await app.close()
  })
})
