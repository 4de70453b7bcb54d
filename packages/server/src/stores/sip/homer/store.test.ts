import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sipText } from '../../../../test/hep.ts'
import { StoreUnavailable } from '../../kit/unavailable.ts'
import type { CaptureStore, Wanted } from '../store.ts'
import { homerCaptures } from './store.ts'

const wanted: Wanted = { call_id: 'call-1@pbx', kind: 'call', from: 1_000, to: 2_000 }
const PROOF = 'c0ffee'.repeat(5)
const raw = (call_id: string, headers: string[] = []) =>
  sipText('INVITE sip:2000@pbx SIP/2.0', {
    call_id,
    headers: [`Authorization: Digest username="jane", response="${PROOF}"`, ...headers],
  })
const message = (text: string, more: object = {}) => ({
  srcIp: '192.0.2.1',
  srcPort: 5060,
  dstIp: '192.0.2.2',
  dstPort: 5062,
  protocol: 17,
  timeSeconds: 1_700_000_000,
  timeUseconds: 7,
  node: '10',
  raw: text,
  ...more,
})
const transaction = (...messages: object[]) => ({
  data: { messages, calldata: [], alias: {} },
  keys: ['callid'],
  total: messages.length,
})

/** A Homer, as strict as it is: log in, then show the token, with the body that its console sends. */
type Answer = (response: ServerResponse) => void
let requests: { path: string; body: Record<string, unknown> }[]
let logins: number
let token: string
let answer: Answer
let login: Answer | undefined
let store: CaptureStore
let waiting: (seconds: number) => CaptureStore
let close: () => Promise<void>

async function handle(request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
    return response.writeHead(415).end()
  if (request.url === '/base/api/v3/auth') {
    logins++
    if (login) return login(response)
    if (body.username !== 'admin' || body.password !== 'canary-password')
      return response.writeHead(401).end('{"message":"Unauthorized"}')
    return response.writeHead(201).end(JSON.stringify({ token, scope: 'x' }))
  }
  if (request.headers.authorization !== `Bearer ${token}`)
    return response.writeHead(401).end('{"message":"invalid or expired jwt"}')
  requests.push({ path: request.url!, body })
  answer(response)
}
const respondJson = (body: object) => (response: ServerResponse) =>
  void response.writeHead(200).end(JSON.stringify(body))

beforeEach(async () => {
  ;[requests, logins, token, login] = [[], 0, 'token-1', undefined]
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
  waiting = (seconds) =>
    homerCaptures({ url, username: 'admin', password: 'canary-password' }, seconds)
  store = waiting(1)
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(() => close())

describe('a Homer', () => {
  it('is queried for one Call-ID, of one kind, within a time range', async () => {
    answer = respondJson(transaction())
    expect(await store.transaction(wanted)).toBeUndefined()
    await store.transaction({ ...wanted, kind: 'registration' })
    expect(requests[0]).toEqual({
      path: '/base/api/v3/call/transaction',
      body: {
        timestamp: { from: 1_000, to: 2_000 },
        param: {
          transaction: { call: true, registration: false, rest: false },
          orlogic: true,
          search: { '1_call': { id: 0, callid: ['call-1@pbx'], uuid: [] } },
        },
      },
    })
    expect(requests[1]!.body).toMatchObject({
      param: {
        transaction: { call: false, registration: true },
        search: { '1_registration': { callid: ['call-1@pbx'] } },
      },
    })
  })

  it('is logged in to once, and again when the token expires', async () => {
    answer = respondJson(transaction(message(raw('call-1@pbx'))))
    await Promise.all([store.find(wanted), store.find(wanted), store.transaction(wanted)])
    expect(logins).toBe(1)
    token = 'token-2'
    expect((await store.find(wanted)).messages).toHaveLength(1)
    expect(logins).toBe(2)
    // a token that is never accepted does not cause endless log-ins
    answer = (r) => void r.writeHead(401).end('{}')
    await expect(store.find(wanted)).rejects.toThrow('answered 401')
    expect(logins).toBe(3)
  })

  it('is parsed in all its formats of time and address', async () => {
    const texts = raw('call-1@pbx')
    const { srcIp, srcPort, dstIp, dstPort, ...rest } = message(texts)
    const inside = { protocol_header: { srcIp, srcPort, dstIp, dstPort }, timeUseconds: 8 }
    const { timeSeconds: _, timeUseconds: __, ...undated } = message(texts)
    answer = respondJson(
      transaction(
        message(texts),
        { ...rest, ...inside },
        { ...undated, create_date: '2023-11-14T22:13:21Z' },
        { ...undated, micro_ts: 1_700_000_002_000 },
        { ...undated },
        { raw: 7 },
        null as never,
      ),
    )
    const { messages, cut } = await store.find(wanted)
    expect(cut).toBe(false)
    expect(messages.map((m) => m.time)).toEqual([
      1_700_000_000_000_007, 1_700_000_000_000_008, 1_700_000_001_000_000, 1_700_000_002_000_000,
    ])
    for (const m of messages)
      expect(m).toMatchObject({
        kind: 'sip',
        source: { address: '192.0.2.1', port: 5060 },
        destination: { address: '192.0.2.2', port: 5062 },
        call_id: 'call-1@pbx',
        bytes: Buffer.from(texts),
      })
  })

  it('does not merge calls by a claimed correlation id', async () => {
    const below = raw('below', ['X-CID: call-1@pbx'])
    const claims = raw('call-1@pbx', ['X-CID: victim'])
    answer = respondJson(transaction(message(claims), message(below), message(raw('victim'))))
    const { messages } = await store.find(wanted)
    expect(messages.map((m) => m.call_id)).toEqual(['call-1@pbx', 'below'])
  })

  it('has the legs that records connect, and tells which legs a leg was made for', async () => {
    const [below, other] = [raw('below', ['X-CID: call-1@pbx']), raw('other')]
    answer = respondJson(transaction(message(raw('call-1@pbx')), message(below), message(other)))
    const { messages } = await store.find({ ...wanted, also: ['other'] })
    expect(messages.map((m) => m.call_id)).toEqual(['call-1@pbx', 'below', 'other'])
    expect(requests[0]!.body).toMatchObject({
      param: { search: { '1_call': { callid: ['call-1@pbx', 'other'] } } },
    })
    expect(await store.parentsOf('below')).toEqual(['call-1@pbx'])
    expect(await store.parentsOf('other')).toEqual([])
    answer = (r) => void r.writeHead(404).end()
    expect(await store.parentsOf('below')).toEqual([])
  })

  it('relays messages without password digests', async () => {
    answer = respondJson({ ...transaction(message(raw('call-1@pbx'))), more: { a: 1 } })
    const filtered = (await store.transaction(wanted))!
    expect(filtered).toMatchObject({ total: 1, keys: ['callid'], more: { a: 1 } })
    expect(JSON.stringify(filtered)).toContain(`response=\\"${'x'.repeat(30)}\\"`)
    expect(JSON.stringify(filtered)).not.toContain(PROOF)
  })

  it('makes its own capture file', async () => {
    const file = Buffer.concat([Buffer.alloc(40, 1), Buffer.from(raw('call-1@pbx'))])
    answer = (r) => void r.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
    const chunks: Uint8Array[] = []
    for await (const chunk of (await store.pcap(wanted))!) chunks.push(chunk)
    expect(requests[0]!.path).toBe('/base/api/v3/export/call/messages/pcap')
    const got = Buffer.concat(chunks)
    expect(got).toEqual(
      Buffer.from(file.toString('latin1').replace(PROOF, 'x'.repeat(30)), 'latin1'),
    )
    answer = (r) => void r.writeHead(200).end(Buffer.alloc(24))
    expect(await store.pcap(wanted)).toBeUndefined()
  })
})

it.each<[string, Answer]>([
  ['fails', (r) => void r.writeHead(500).end()],
  ['says something else', (r) => void r.end('<html>')],
  ['says null', (r) => void r.end('null')],
  ['has no total', (r) => void r.end('{}')],
  ['leads elsewhere', (r) => void r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['says nothing', () => undefined],
  ['never ends', (r) => void setInterval(() => r.write(' '), 50).unref()],
  ['hangs up', (r) => void r.destroy()],
])('is unavailable where it %s', async (_, given) => {
  answer = given
  await expect(store.transaction(wanted)).rejects.toThrow(StoreUnavailable)
})

it.each<[string, Answer, string]>([
  ['refuses', (r) => void r.writeHead(401).end('{}'), 'Homer rejected the username and password'],
  ['gives no token', (r) => void r.writeHead(200).end('{}'), 'cannot be read'],
  ['fails', (r) => void r.writeHead(500).end('{}'), 'answered 500'],
])('is unavailable where its log-in %s, and is tried again', async (_, given, text) => {
  answer = respondJson(transaction(message(raw('call-1@pbx'))))
  login = given
  const error = await store.find(wanted).catch((e: Error) => e)
  expect(String(error)).toContain(text)
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
  login = undefined
  expect((await store.find(wanted)).messages).toHaveLength(1)
})

it('sends its password nowhere else', async () => {
  // a redirect: following it would succeed
  login = (r) => {
    login = undefined
    r.writeHead(307, { location: '/base/api/v3/auth' }).end()
  }
  answer = respondJson(transaction(message(raw('call-1@pbx'))))
  await expect(store.find(wanted)).rejects.toThrow(StoreUnavailable)
  expect(logins).toBe(1)
})

it('has a response size limit', async () => {
  answer = (r) => {
    const more = () => {
      while (!r.destroyed && r.write(Buffer.alloc(1_000_000, ' ')));
      if (!r.destroyed) r.once('drain', more)
    }
    more()
  }
  await expect(waiting(20).find(wanted)).rejects.toThrow('This capture is too large to show')
})
