import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Redis } from 'ioredis'

/** The platform's own writer, as its components use it. */
type Helpers = {
  client: Redis
  updateCallStatus: (call: Record<string, unknown>, serviceUrl?: string) => Promise<boolean>
  addToSet: (set: string, value: string) => Promise<unknown>
  addToSortedSet: (set: string, value: string, priority?: number) => Promise<unknown>
  createHash: (key: string, values: Record<string, unknown>) => Promise<boolean>
  addKey: (key: string, value: string, expiry?: number) => Promise<unknown>
  incrKey: (key: string) => Promise<unknown>
  listCalls: (account_sid: string) => Promise<Record<string, string>[]>
}
const helpers = createRequire(import.meta.url)('@jambonz/realtimedb-helpers') as (
  options: object,
) => Helpers

/** Simulates platform components on this Redis. */
export function testPlatform(options: object) {
  const redis = helpers(options)
  return {
    redis,
    /** Writes a call as the feature server does: first as trying, then with its present state. */
    async call(
      account_sid: string,
      more: Record<string, unknown> = {},
      serviceUrl = 'http://127.0.0.1:9',
    ) {
      const call = {
        callSid: randomUUID(),
        callId: randomUUID(),
        accountSid: account_sid,
        applicationSid: randomUUID(),
        direction: 'inbound',
        from: '15005550100',
        to: '15005550199',
        sipStatus: 100,
        sipReason: 'Trying',
        callStatus: 'trying',
        traceId: '0'.repeat(32),
        ...more,
      }
      await redis.updateCallStatus({ ...call, sipStatus: 100, callStatus: 'trying' }, serviceUrl)
      if (more.callStatus) await redis.updateCallStatus(call)
      return call.callSid
    },
    /** Ends a call. */
    ends: (account_sid: string, callSid: string) =>
      redis.updateCallStatus({
        callSid,
        callId: 'ended',
        accountSid: account_sid,
        sipStatus: 200,
        callStatus: 'completed',
      }),
    async register(user: string, seconds = 300, more: Record<string, unknown> = {}) {
      const expiryTime = Date.now() + seconds * 1_000
      const registration = { contact: `sip:${user}`, protocol: 'udp', expiryTime, ...more }
      await redis.client.set(`user:${user}`, JSON.stringify(registration), 'EX', seconds)
      await redis.client.zadd('active-user', expiryTime, `user:${user}`)
    },
    async queue(account_sid: string, name: string, length = 1) {
      for (let n = 0; n < length; n++)
        await redis.addToSortedSet(`queue:${account_sid}:${name}`, `http://fs/enqueue/${n}`)
    },
    conference: (account_sid: string, name: string) =>
      redis.createHash(`conf:${account_sid}:${name}`, { sipAddress: 'fs', startTime: Date.now() }),
    close: () => redis.client.disconnect(),
  }
}

type ReceivedRequest = { method: string; url: string; body: unknown }
type Reply = { status: number; body?: string; type?: string; late_ms?: number }

/** A feature server that records requests and returns the given response. */
export async function featureServer() {
  const requests: ReceivedRequest[] = []
  const state: { now: Reply } = { now: { status: 202 } }
  const text = async (request: IncomingMessage) => {
    let body = ''
    for await (const chunk of request) body += chunk
    return body
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url = '' } = request
    const handler =
      method === 'POST' &&
      /^\/v1\/(createCall|updateCall\/[0-9a-f-]{36}|messaging\/[\w-]+)$/.test(url)
    if (!handler || request.headers['content-type'] !== 'application/json') {
      response.writeHead(418).end()
      return
    }
    requests.push({ method, url, body: JSON.parse(body) })
    const { status, body: answer = '', type = 'application/json', late_ms = 0 } = state.now
    setTimeout(() => response.writeHead(status, { 'content-type': type }).end(answer), late_ms)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith: (reply: Reply) => {
      state.now = reply
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
