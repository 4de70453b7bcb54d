import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A request to a voice application. */
export type HookRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The body as received. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what they sent
  body: any
}
/** Verbs, a status, or a function that handles the response. */
export type HookAnswer =
  | unknown[]
  | number
  | { status?: number; type?: string; text: string }
  | ((response: ServerResponse) => void)

/** A voice application over HTTP: its answer at each path, and the requests received. */
export async function httpApplication(
  answers: (request: HookRequest) => HookAnswer | Promise<HookAnswer>,
) {
  const requests: HookRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
    requests.push(received)
    const answer = await answers(received)
    if (typeof answer === 'function') return answer(response)
    if (typeof answer === 'number') return response.writeHead(answer).end()
    const {
      status = 200,
      type = 'application/json',
      text: body,
    } = Array.isArray(answer) ? { text: JSON.stringify(answer) } : answer
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Bodies of the requests to a path. */
    at: (path: string) => requests.filter((r) => r.path === path).map((r) => r.body),
    server,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into what they sent
type Received = { type: string; msgid: string; data: any; [member: string]: any }

type Handler = (message: Received, socket: WebSocket) => void

export const ack = (socket: WebSocket, { msgid }: { msgid: string }, data?: unknown) =>
  socket.send(JSON.stringify({ type: 'ack', msgid, ...(data !== undefined && { data }) }))
export const command = (socket: WebSocket, name: string, data: unknown, more: object = {}) =>
  socket.send(JSON.stringify({ type: 'command', command: name, data, ...more }))

/** A voice application over a WebSocket. */
export async function socketApplication(handle: Handler, path = '/') {
  const messages: Received[] = []
  const opened: IncomingHttpHeaders[] = []
  const server = createServer((_, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ server, path })
  sockets.on('connection', (socket, { headers }) => {
    opened.push(headers)
    socket.on('message', (raw) => {
      const message = JSON.parse(String(raw)) as Received
      messages.push(message)
      handle(message, socket)
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}${path}`,
    port,
    messages,
    /** The headers of each connection. */
    opened,
    connected: () => sockets.clients.size,
    of: (type: string) => messages.filter((message) => message.type === type),
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
