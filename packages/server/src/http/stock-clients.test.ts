import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { api, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../../test/app.ts'
import { type StripeStandIn, stripeStandIn } from '../../test/stand-ins/stripe.ts'
import { beginSession } from './sessions.ts'

// How the platform's own portal, SDK and clients write their requests, sent literally.

let t: TestApp
let stripe: StripeStandIn
const endpoints = Object.entries(api).flatMap(([group, all]) =>
  Object.entries(all as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    e,
  })),
)
const JSON_TYPE = { 'content-type': 'application/json' }

/** A path whose owners are there and whose things are not. */
const fillPath = (e: Endpoint) => {
  const known: Record<string, string> = {
    account_sid: t.sids.a1,
    service_provider_sid: t.sids.sp1,
    sip_realm: 'sip.acme.example',
  }
  // keeps the account, which the other requests need
  const isDeletion = e === api.accounts.remove
  return e.path.replace(/:(\w+)/g, (_, name) => (!isDeletion && known[name]) || randomUUID())
}
/** A response without the parts that differ every time. */
const summary = ({ statusCode, body }: { statusCode: number; body: string }) =>
  // the state of all parts is measured with every check
  `${statusCode} ${body.includes('"checked_at":') ? '' : body.replace(/"(request_id|now|token|secret|sid|codes|challenge)":(\[[^\]]*\]|"[^"]*")/g, '')}`

/** Sends raw bytes and returns the raw response. */
const overSocket = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const { port } = t.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })

const session = () =>
  beginSession(
    t.ctx,
    {
      scope: 'account',
      user_sid: t.users.a2!,
      name: 'a2',
      permissions: [],
      is_view_only: false,
      force_change: false,
      service_provider_sid: t.sids.sp1,
      account_sid: t.sids.a2,
    },
    { method: 'password', meta: { ip: '127.0.0.1' } },
  )

describe('with all routes', () => {
  beforeAll(async () => {
    stripe = await stripeStandIn()
    t = await testApp(stripe.environment)
  })
  afterAll(async () => {
    await t.close()
    await stripe.close()
  })

  it('treats JSON without a body as no body, on every route except GET', async () => {
    const changes = endpoints.filter(({ e }) => e.method !== 'GET')
    expect(changes.length).toBeGreaterThan(100)
    for (const { title, e } of changes)
      for (const who of ['admin', 'a1']) {
        // sessions end with the first call of these: a stranger's is refused the same way twice
        const by = e === api.session.logout || e === api.session.renew ? 'revoked' : who
        const path = fillPath(e)
        // the first one's effects stay, so that the others find the same
        await t.request(by, e.method, path)
        const without = summary(await t.request(by, e.method, path))
        expect(summary(await t.request(by, e.method, path, undefined, JSON_TYPE)), title).toBe(
          without,
        )
        expect(
          summary(
            await t.request(by, e.method, path, '', {
              ...JSON_TYPE,
              'transfer-encoding': 'chunked',
            }),
          ),
          title,
        ).toBe(without)
      }
  })

  it('accepts them over a real socket, without a length, with zero length and with no chunk', async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    for (const rest of [
      '\r\n',
      'Content-Length: 0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ]) {
      const token = await session()
      const send = (method: string, path: string, type = 'application/json') =>
        overSocket(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${rest}`,
        )
      const { sid } = (await t.request(token, 'POST', '/VoipCarriers', { name: 'trunk' })).json()
      expect(await send('DELETE', `/v1/VoipCarriers/${sid}`)).toMatch(/^HTTP\/1.1 204 /)
      expect((await t.request(token, 'GET', `/VoipCarriers/${sid}`)).statusCode).toBe(404)
      // and a session really ends
      expect(await send('GET', '/v1/Users/me')).toMatch(/^HTTP\/1.1 200 /)
      expect(await send('POST', '/v1/logout', 'application/json; charset=utf-8')).toMatch(
        /^HTTP\/1.1 204 /,
      )
      expect(await send('GET', '/v1/Users/me')).toMatch(/^HTTP\/1.1 401 /)
    }
  })

  it('still rejects malformed, poisoned or oversized JSON', async () => {
    const send = (payload: string) =>
      t.app.inject({
        method: 'POST',
        url: '/v1/login',
        payload,
        headers: { 'content-type': 'application/json' },
      })
    for (const payload of ['{', ' ', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}'])
      expect((await send(payload)).statusCode, payload).toBe(400)
    const large = await send(JSON.stringify({ username: 'x'.repeat(102_400) }))
    expect([large.statusCode, large.json().code]).toEqual([413, 'too_large'])
  })

  it('treats several slashes as one', async () => {
    const a1 = `/Accounts/${t.sids.a1}`
    for (const path of [`${a1}/SpeechCredentials`, '/Prices', '/StripeCustomerId', `${a1}/ApiKeys`])
      for (const base of ['/v1', '/api/v1']) {
        const spellings = [
          `${base}/${path}`,
          `//${base}${path}`,
          `${base}${path}`.replace(/\//g, '///'),
        ]
        const get = (url: string) =>
          t.app.inject({ url, headers: { authorization: `Bearer ${t.bearer.a1}` } })
        const plain = await get(`${base}${path}`)
        expect(plain.statusCode, plain.body).toBe(200)
        for (const url of spellings) {
          expect(summary(await get(url)), url).toBe(summary(plain))
          expect((await t.app.inject(url)).statusCode, url).toBe(401)
        }
      }
  })

  /** Members without which a request means nothing. */
  const NEEDED: Record<string, string> = {
    page: '1',
    count: '25',
    vendor: 'google',
    url: 'http://127.0.0.1/',
    type: 'email',
    value: 'a@example.com',
  }

  it('ignores an empty query parameter on every route', async () => {
    let walked = 0
    for (const { title, e } of endpoints.filter(({ e }) => e.method === 'GET' && e.query)) {
      const { properties = {}, required = [] } = z.toJSONSchema(e.query!, {
        io: 'input',
        unrepresentable: 'any',
      })
      const needed = required.map((name) => [name, NEEDED[name] ?? randomUUID()] as const)
      const path = fillPath(e)
      const who = e.hosted ? 'a1' : 'admin'
      for (const name of Object.keys(properties)) {
        const rest = new URLSearchParams(
          needed.filter(([n]) => n !== name).map((pair) => [...pair]),
        )
        // the first page of a list, as clients of the platform know it
        const first = e.list && name === 'page' ? '&page=1' : ''
        const without = await t.request(who, 'GET', `${path}?${rest}${first}`)
        const empty = await t.request(who, 'GET', `${path}?${rest}&${name}=`)
        expect(summary(empty), `${title} ${name}`).toBe(summary(without))
        if (required.includes(name)) {
          expect(empty.statusCode, `${title} ${name}`).toBe(400)
          expect(JSON.stringify(empty.json().issues)).toContain(`"path":["${name}"]`)
        }
        walked++
      }
    }
    expect(walked).toBeGreaterThan(150)
  })

  it('lists a provider’s custom voices on the portal’s path', async () => {
    const path = `/GoogleCustomVoices?account_sid=&service_provider_sid=${t.sids.sp1}`
    const answer = await t.request('sp1', 'GET', path)
    expect([answer.statusCode, answer.json()]).toEqual([200, []])
    // an empty change is no change, so view-only users may send it
    const secret = await t.request(
      'a1-viewer',
      'GET',
      `/Accounts/${t.sids.a1}/WebhookSecret?regenerate=`,
    )
    expect(secret.statusCode).toBe(200)
  })
})

it('accepts an empty body for predefined carriers and SIP realms', async () => {
  const plain = await testApp()
  const { a1, sp1 } = plain.sids
  const [template] = await plain.as('a1')(api.predefinedCarriers.list, {})
  const { predefined_carrier_sid: sid } = template!
  for (const [path, status] of [
    [`/Accounts/${a1}/PredefinedCarriers/${sid}`, 201],
    [`/ServiceProviders/${sp1}/PredefinedCarriers/${sid}`, 201],
    [`/Accounts/${a1}/SipRealms/sip.acme.example`, 204],
  ] as const) {
    const answer = await plain.request('sp1', 'POST', path, undefined, JSON_TYPE)
    expect(answer.statusCode, answer.body).toBe(status)
  }
  await plain.close()
})

it('applies path rules to every spelling of the path', async () => {
  const limited = await testApp({
    DISABLE_RATE_LIMITS: '0',
    RATE_LIMIT_MAX_PER_WINDOW: '3',
    RATE_LIMIT_BY: 'system',
  })
  const spellings = ['//v1/Prices', '/api//V1///Accounts', '/%76%31/Accounts', '/V1/Accounts']
  const headers = { authorization: `Bearer ${limited.bearer.admin}` }
  const found = spellings.filter((url) => url !== '//v1/Prices')
  for (const url of found) {
    const answer = await limited.app.inject({ url, headers })
    expect([answer.statusCode, answer.headers['cache-control']], url).toEqual([200, 'no-store'])
  }
  for (const url of found)
    expect((await limited.app.inject({ url, headers })).statusCode, url).toBe(429)
  // an unknown path does not return the console
  for (const url of ['//v1/Nothing', '/API//v1/nothing']) {
    const answer = await limited.app.inject({ url, headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.headers['content-type']], url).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
  }
  // and does not redirect to another host
  for (const url of ['//example.com', '//example.com/', '//example.com/..', '//internal//x']) {
    const answer = await limited.app.inject({ url, headers: { accept: 'text/html' } })
    expect(answer.headers.location, url).toBeUndefined()
  }
  await limited.close()
})
