import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export const DNS = { key: 'dns-key', secret: 'canary-dns-secret' }

export type TestRecord = { id: number; name: string; type: string; value: string }

/** DNS Made Easy with one domain, as documented: signed requests, numbers for domains and records. */
export async function testDns(domain: string) {
  const zone = 1_119_443
  let last = 66_814_200
  const state = {
    records: [] as (TestRecord & Record<string, unknown>)[],
    /** Creating records fails from this one on. */
    failsFrom: Number.POSITIVE_INFINITY,
    down: false,
  }

  function isSigned({ headers }: IncomingMessage) {
    const date = String(headers['x-dnsme-requestdate'])
    const mac = createHmac('sha1', DNS.secret).update(date).digest('hex')
    return (
      headers['x-dnsme-apikey'] === DNS.key &&
      headers['x-dnsme-hmac'] === mac &&
      /GMT$/.test(date) &&
      Math.abs(Date.now() - Date.parse(date)) < 30_000
    )
  }

  function make(body: string): { status: number; json?: unknown } {
    const sent = JSON.parse(body) as TestRecord & Record<string, unknown>
    if (state.records.length >= state.failsFrom) return { status: 400 }
    const fits =
      sent.gtdLocation === 'DEFAULT' &&
      typeof sent.ttl === 'number' &&
      (sent.type === 'A'
        ? /^\d+(\.\d+){3}$/.test(sent.value)
        : sent.type === 'SRV' && sent.port === 5060 && sent.priority === 10 && sent.weight === 100)
    const { name, type, value } = sent
    const twice = state.records.some((r) => r.name === name && r.type === type && r.value === value)
    if (!fits || twice) return { status: 400 }
    last += 1
    state.records.push({ ...sent, id: last })
    return { status: 201, json: { ...sent, id: last } }
  }

  function answer(request: IncomingMessage, body: string): { status: number; json?: unknown } {
    if (state.down) return { status: 503 }
    if (!isSigned(request)) return { status: 403 }
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.replace(/\/$/, '')
    const records = `/V2.0/dns/managed/${zone}/records`
    if (request.method === 'GET' && path === '/V2.0/dns/managed/name')
      return url.searchParams.get('domainname') === domain
        ? { status: 200, json: { id: zone, name: domain } }
        : { status: 404 }
    if (request.method === 'GET' && path === records) {
      const name = url.searchParams.get('recordName')
      const data = state.records.filter((r) => name === null || r.name === name)
      return { status: 200, json: { data, page: 0, totalPages: 1, totalRecords: data.length } }
    }
    if (request.method === 'POST' && path === records) return make(body)
    const [, id] = /\/records\/(\d+)$/.exec(path) ?? []
    if (request.method !== 'DELETE' || !id || !path.startsWith(records)) return { status: 404 }
    const at = state.records.findIndex((r) => r.id === Number(id))
    if (at < 0) return { status: 404 }
    state.records.splice(at, 1)
    return { status: 200 }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status, json } = answer(request, Buffer.concat(chunks).toString())
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(json ? JSON.stringify(json) : '')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    state,
    environment: {
      DME_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/V2.0`,
      DME_API_KEY: DNS.key,
      DME_API_SECRET: DNS.secret,
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
