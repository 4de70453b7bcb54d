import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Outbound, outbound } from '../../src/outbound/outbound.ts'

/** A request to a stand-in. `host` is the vendor's own, as in the product's request. */
export type VendorRequest = {
  method: string
  host: string
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}
export type VendorResponse = {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer | object
  /** Answered once this is settled. */
  after?: Promise<unknown>
}

/** A vendor's documented protocol. Rejects anything that is not documented. */
export type StandIn = {
  /** The hosts it serves, as in the product's requests; on-premises ones with port. */
  hosts: readonly string[]
  http?: (request: VendorRequest) => VendorResponse | Promise<VendorResponse>
  /** Handles a WebSocket. `refuse` may return a status to reject the upgrade. */
  socket?: {
    refuse?: (request: Omit<VendorRequest, 'body'>) => number | undefined
    open: (socket: WebSocket, request: Omit<VendorRequest, 'body'>) => void
  }
}

/** Records the requests of a stand-in. */
export function recorded(standIn: StandIn) {
  const requests: VendorRequest[] = []
  return {
    ...standIn,
    requests,
    http(request: VendorRequest) {
      requests.push(request)
      return standIn.http!(request)
    },
  }
}

const HOST = 'x-stand-in-host'

/**
 * A local server for stand-ins, and outbound access on which their hosts lead to it. Other hosts
 * cannot be reached, so tests that use them fail.
 */
export async function standIns(...vendors: StandIn[]) {
  const of = (host: string) => vendors.find((v) => v.hosts.includes(host))
  const vendorRequest = (request: IncomingMessage) => {
    const host = String(request.headers[HOST])
    return {
      method: request.method!,
      host,
      url: new URL(request.url!, `https://${host}`),
      headers: request.headers,
    }
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const received = { ...vendorRequest(request), body: Buffer.concat(chunks) }
    const answer = (await of(received.host)?.http?.(received)) ?? { status: 404 }
    await answer.after
    const { body = '' } = answer
    const raw = typeof body === 'string' || Buffer.isBuffer(body)
    response.writeHead(answer.status, {
      ...(raw ? {} : { 'content-type': 'application/json' }),
      ...answer.headers,
    })
    response.end(raw ? body : JSON.stringify(body))
  }
  const server: Server = createServer((request, response) => {
    respond(request, response).catch((e: unknown) => {
      // an exception in a stand-in fails the test
      response.writeHead(599).end(String(e))
    })
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, plain, head) => {
    const received = vendorRequest(request)
    const side = of(received.host)?.socket
    const status = side ? side.refuse?.(received) : 404
    if (!side || status) {
      plain.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, plain, head, (socket) => side.open(socket, received))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  const real = outbound(['127.0.0.0/8'])
  const reroute = (url: string) => {
    const target = new URL(url)
    if (!of(target.host)) throw new Error(`Nobody stands in for ${target.host}`)
    const to = new URL(url)
    to.protocol = target.protocol.startsWith('ws') ? 'ws:' : 'http:'
    to.host = `127.0.0.1:${port}`
    return { to: to.href, host: { [HOST]: target.host } }
  }
  const out: Outbound = {
    ...real,
    async fetch(url, how) {
      const { to, host } = reroute(url)
      return real.fetch(to, { ...how, headers: { ...how.headers, ...host } })
    },
    async socket(url, how) {
      const { to, host } = reroute(url)
      return real.socket(to, { ...how, headers: { ...how.headers, ...host } })
    },
  }
  return {
    out,
    close: () =>
      new Promise<void>((done) => {
        sockets.close()
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
