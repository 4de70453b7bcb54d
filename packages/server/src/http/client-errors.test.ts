import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { ErrorBody } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

let t: TestApp
let port: number
let finishSlow = () => {}
let began: Promise<void>
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  const slow = new Promise<void>((resolve) => {
    finishSlow = resolve
  })
  const { promise, resolve: begin } = Promise.withResolvers<void>()
  began = promise
  t.app.get('/slow', async () => {
    begin()
    await slow
    return { slow: true }
  })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as { port: number }).port
})
afterAll(() => t.close())

/** Sends raw bytes, and resolves to everything that comes back. */
const send = (...parts: string[]) =>
  new Promise<string>((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part, 'latin1')
    })
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

/** The responses of a connection. */
function responses(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part.startsWith('HTTP/1.1 '))
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n')
      return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body }
    })
}

function expectOurs({ status, head, body }: ReturnType<typeof responses>[number]) {
  const parsed = ErrorBody.parse(JSON.parse(body))
  expect(parsed.request_id).toMatch(/^[\da-f-]{36}$/)
  expect(parsed.msg.length).toBeGreaterThan(5)
  expect(head).toContain('content-type: application/json')
  expect(head).toContain(`x-request-id: ${parsed.request_id}`)
  expect(body).not.toMatch(/FST_|HPE_|ERR_|statusCode/)
  return [status, parsed.code]
}

const end = 'host: x\r\nconnection: close\r\n\r\n'

describe('what is no request of ours is answered in our words', () => {
  it.each<[string, string, number, string]>([
    ['garbage', 'hello there\r\n\r\n', 400, 'invalid'],
    ['a bad version', `GET / HTTP/9.9\r\n${end}`, 400, 'invalid'],
    ['a bad header', `GET / HTTP/1.1\r\nbad header\r\n${end}`, 400, 'invalid'],
    ['no host', 'GET /api/v1/login HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid'],
    [
      'two lengths',
      `POST /api/v1/login HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n${end}`,
      400,
      'invalid',
    ],
    [
      'a bad chunk',
      `POST /api/v1/login HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n${end}zz\r\n`,
      400,
      'invalid',
    ],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n${end}`,
      431,
      'too_large',
    ],
    ['bad percent-encoding', `GET /api/v1/Users/%zz HTTP/1.1\r\n${end}`, 400, 'invalid'],
    [
      'percent-encoding that is no UTF-8',
      `GET /api/v1/Users/%ff HTTP/1.1\r\n${end}`,
      400,
      'invalid',
    ],
    [
      'a long parameter',
      `GET /api/v1/Users/${'x'.repeat(2_000)} HTTP/1.1\r\n${end}`,
      400,
      'invalid',
    ],
    ['an unknown path', `GET /api/v1/Nothing HTTP/1.1\r\n${end}`, 404, 'not_found'],
    ['a method of WebDAV', `PROPFIND /api/v1/Users HTTP/1.1\r\n${end}`, 404, 'not_found'],
    ['TRACE', `TRACE /api/v1/Users HTTP/1.1\r\n${end}`, 404, 'not_found'],
    ['QUERY', `QUERY /api/v1/Users HTTP/1.1\r\n${end}`, 400, 'invalid'],
    [
      'an absolute URL',
      `GET http://other.example/api/v1/Nothing HTTP/1.1\r\n${end}`,
      404,
      'not_found',
    ],
    [
      'an expectation',
      `GET /api/v1/Nothing HTTP/1.1\r\nexpect: miracles\r\n${end}`,
      404,
      'not_found',
    ],
    [
      'broken JSON',
      `POST /api/v1/login HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 1\r\n${end}{`,
      400,
      'invalid',
    ],
    ['CONNECT', `CONNECT other.example:443 HTTP/1.1\r\n${end}`, 400, 'invalid'],
  ])('%s', async (_, bytes, status, code) => {
    const all = responses(await send(bytes))
    expect(all).toHaveLength(1)
    expect(expectOurs(all[0]!)).toEqual([status, code])
  })

  it('garbage behind a good request, after the answer to that', async () => {
    const all = responses(await send('GET /health HTTP/1.1\r\nhost: x\r\n\r\nnonsense\r\n\r\n'))
    expect(all.map(({ status }) => status)).toEqual([200, 400])
    expectOurs(all[1]!)
  })

  it('a request during the shutdown, while an earlier one is finished', async () => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    const over = new Promise((resolve) => socket.on('close', resolve))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
    await began
    const closed = t.app.close()
    await setImmediate()
    const arrived = once(t.app.server, 'request')
    socket.write(`GET /api/v1/Users HTTP/1.1\r\n${end}`)
    await arrived
    finishSlow()
    await Promise.all([closed, over])
    const all = responses(answer)
    expect(all.map(({ status }) => status)).toEqual([200, 503])
    expect(all[0]!.body).toContain('"slow":true')
    expect(expectOurs(all[1]!)).toEqual([503, 'unavailable'])
  })
})
