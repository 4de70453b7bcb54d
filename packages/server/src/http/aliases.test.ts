import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

/** `HEAD` and `/v1`, which have no routes of their own. */

let t: TestApp
let port: number
let authorization: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
  authorization = `Bearer ${t.bearer.admin}`
})
afterAll(() => t.close())

async function send(method: string, path: string, headers = {}) {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }).end()
  const [answer] = await once(sent, 'response')
  let body = ''
  for await (const chunk of answer) body += chunk
  const { date: _, 'x-request-id': __, ...kept } = answer.headers as Record<string, string>
  const limits = Object.keys(kept).filter((name) => name.startsWith('x-ratelimit'))
  for (const name of limits) delete kept[name]
  return { status: answer.statusCode, headers: kept, body }
}

it.each(['/health', '/docs', '/nothing', '/api/v1/nothing', '/v1/Accounts', '/v1/Users/%zz'])(
  'answers HEAD of %s as GET, without the body',
  async (path) => {
    const { body, ...rest } = await send('GET', path)
    expect(body).not.toBe('')
    expect(await send('HEAD', path)).toEqual({ ...rest, body: '' })
  },
)

it('answers HEAD to those who are logged in, of lists without reading them', async () => {
  const me = await send('GET', '/v1/Users/me', { authorization })
  const head = await send('HEAD', '/v1/Users/me', { authorization })
  expect(head).toEqual({ ...me, headers: head.headers, body: '' })
  expect(head.headers['content-type']).toBe(me.headers['content-type'])
  const list = await send('HEAD', '/v1/Accounts', { authorization })
  expect(list).toMatchObject({ status: 200, body: '' })
  expect(list.headers['content-length']).toBeUndefined()
})

it('answers HEAD of what only POST has as not found', async () => {
  expect((await send('HEAD', '/v1/login')).status).toBe(404)
})

it.each([
  '/v1/Capabilities',
  '/api/v1/Capabilities',
  '/V1/capabilities/',
  '//v1//Capabilities',
  '/%761/Capabilities',
  '/%56%31/Capabilities?x=1',
  'http://example.com/v1/Capabilities',
  'http://example.com//API/v1/Capabilities',
])('finds the API at %s', async (path) => {
  const { status, headers } = await send('GET', path)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
})

it.each(['/v2/Capabilities', '/x/v1/Capabilities', '/v1x/Capabilities', '/?/v1/Capabilities'])(
  'does not find it at %s',
  async (path) => expect((await send('GET', path)).headers['cache-control']).not.toBe('no-store'),
)

it('counts requests by method and by the path that was asked for', async () => {
  await send('HEAD', '/v1/Capabilities')
  const { body } = await t.app.inject('/metrics')
  const counted = (method: string, route: string) =>
    body.includes(`http_request_duration_seconds_count{method="${method}",route="${route}"`)
  expect(counted('HEAD', '/v1/Capabilities')).toBe(true)
  expect(counted('GET', '/v1/Capabilities')).toBe(true)
  expect(counted('GET', '/api/v1/Capabilities')).toBe(true)
  expect(counted('HEAD', '/api/v1/Capabilities')).toBe(false)
})
