import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  await t.close()
})

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    servers.push(server)
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/call`),
    )
  })
const serve = (handle: RequestListener) => listen(createServer(handle))
const serveText = (text: string, status = 200) =>
  serve((_, reply) => reply.writeHead(status).end(text))

const start = async (networks = '127.0.0.0/8') => {
  t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: networks })
}
const path = (url: string, own = '') => `/AppEnv${own}?url=${encodeURIComponent(url)}`
const ask = (url: string) => t.request('a1', 'GET', path(url))
const check = async (url: string) => (await t.request('a1', 'GET', path(url, '/Check'))).json()

const schema = {
  TOKEN: { type: 'string', description: 'A key', required: true, obscure: true },
  GREETING: { type: 'string', description: 'Hello', uiHint: 'textarea', more: { kept: [1] } },
  CARRIER: { type: 'string', description: 'Via', jambonzResource: 'carriers' },
  SIZE: { type: 'number', description: 'How many', enum: [1, 2], default: 0 },
  LOUD: { type: 'boolean', description: 'Or not', default: false },
}

it('fetches the schema from the application', async () => {
  await start()
  const requests: unknown[] = []
  const url = await serve((request, reply) => {
    requests.push([request.method, request.url, request.headers.accept])
    reply.end(JSON.stringify(schema))
  })
  const answer = await ask(`${url}?a=1&b=2`)
  expect([answer.statusCode, answer.json()]).toEqual([200, schema])
  expect(requests).toEqual([['OPTIONS', '/call?a=1&b=2', 'application/json']])
  expect(await check(url)).toEqual({ schema })
  expect((await ask(url.replace('http', 'WS'))).json()).toEqual(schema)
})

it.each([
  ['', 'none'],
  ['null', 'none'],
  ['0', 'none'],
  ['<html>', 'not_json'],
])('treats %j as no schema', async (text, code) => {
  await start()
  const url = await serveText(text)
  const answer = await ask(url)
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await check(url)).toMatchObject({ problem: { code, text: expect.any(String) } })
})

it.each([
  [{}],
  [[]],
  ['text'],
  [{ 'a-b': { type: 'string', description: 'x' } }],
  [{ a: { type: 'string' } }],
  [{ a: { type: 'list', description: 'x' } }],
  [{ a: { type: 'string', description: 'x', required: 'yes' } }],
  [{ a: { type: 'string', description: 'x', default: {} } }],
  [{ a: { type: 'string', description: 'x', enum: 'b' } }],
])('rejects the schema %j', async (wrong) => {
  await start()
  const url = await serveText(JSON.stringify(wrong))
  const answer = await ask(url)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ msg: 'Invalid appenv schema' })
  expect(await check(url)).toMatchObject({ problem: { code: 'invalid' } })
})

it('distinguishes the kinds of failure', async () => {
  await start()
  const closed = await serveText('')
  servers[0]!.close()
  const endless = await serve((_, reply) => {
    const endless = new Readable({ read: () => void endless.push('x'.repeat(60_000)) })
    endless.pipe(reply)
  })
  const redirects = await serve((_, reply) =>
    reply.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  )
  for (const [url, code] of [
    [closed, 'unreachable'],
    ['http://no-such-host.invalid/', 'unreachable'],
    [endless, 'too_large'],
    [redirects, 'redirect'],
    [await serveText('gone', 404), 'none'],
    [await serveText('', 405), 'none'],
    [await serveText('', 401), 'refused'],
    [await serveText('{}', 500), 'refused'],
    ['http://10.0.0.1/', 'internal'],
    ['ws://169.254.169.254/latest/meta-data', 'internal'],
  ] as const) {
    expect(await check(url), url).toMatchObject({ problem: { code } })
    expect((await ask(url)).statusCode, url).toBe(204)
  }
})

it('does not reach an internal address unless the operator allows it', async () => {
  await start('')
  let requestCount = 0
  const url = await serve((_, reply) => {
    requestCount++
    reply.end(JSON.stringify(schema))
  })
  for (const at of [url, url.replace('127.0.0.1', 'localhost')])
    expect(await check(at)).toMatchObject({ problem: { code: 'internal' } })
  expect(requestCount).toBe(0)
})

it.each(['', '?url=', '?url=nonsense', '?url=ftp%3A%2F%2Fexample.com', '?url=a&url=b'])(
  'names the URL in the error for %j',
  async (query) => {
    await start()
    for (const own of ['', '/Check']) {
      const answer = await t.request('a1', 'GET', `/AppEnv${own}${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().issues[0].path).toEqual(['url'])
    }
  },
)
