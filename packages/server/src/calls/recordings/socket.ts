import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { isFromPrivateNetwork } from '../../http/private-network.ts'
import type { Delivery } from './delivery.ts'

const PROTOCOL = 'audio.jambonz.org'
/** Media servers send chunks of a few tenths of a second. */
const MESSAGE_BYTES = 1_000_000

/**
 * True if an upgrade request is a recording upload, as media servers send it: `/record/<vendor>` below any base path.
 */
export const isUpload = ({ url, headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === 'websocket' && /\/record\//.test(url?.split('?')[0] ?? '')

/**
 * True if a page of another site opened the socket. Browsers name it, and may send credentials they have saved; media
 * servers name no origin but the host they call.
 */
function isFromOtherSite({ headers }: IncomingMessage) {
  if (Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))) return true
  const { origin, host } = headers
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

type Credential = Context['config']['recordings']['credential']

function signsIn({ headers: { authorization } }: IncomingMessage, credential: Credential) {
  const [, encoded] = /^basic ([\w+/=-]{1,1000})$/i.exec(authorization ?? '') ?? []
  const credentials = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const { username, password } = credential!
  return timingSafeEqual(digest(credentials), digest(`${username}:${password}`))
}

/** Loaded on the first upload: many servers receive none. */
async function openServer() {
  const [{ WebSocket, WebSocketServer }, { receive, TROUBLE }] = await Promise.all([
    import('ws'),
    import('./upload.ts'),
  ])
  /** The library answers the other end's close by calling `close`. */
  class Upload extends WebSocket {
    beforeAnswer = async () => true

    override async close(code?: number, reason?: string | Buffer) {
      if (await this.beforeAnswer()) super.close(code, reason)
      else this.refuse(TROUBLE, 'It cannot be written')
    }

    refuse(code: number, reason: string) {
      super.close(code, reason)
    }
  }
  const server = new WebSocketServer({
    noServer: true,
    WebSocket: Upload,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  })
  return { server, receive }
}

/** Receives recordings from media servers and delivers them to their stores. */
export function receiveRecordings(app: FastifyInstance, ctx: Context) {
  const { credential, at_once } = ctx.config.recordings
  const { incoming } = ctx.stores
  let loading: Promise<Delivery> | undefined
  /** Loaded once the server listens. */
  const delivery = () => {
    loading ??= import('./delivery.ts').then(({ delivering }) => delivering(ctx))
    return loading
  }
  let opened: ReturnType<typeof openServer> | undefined

  const mayUpload = (request: IncomingMessage) =>
    !isFromOtherSite(request) &&
    (credential ? signsIn(request, credential) : isFromPrivateNetwork(request))

  function refuse(socket: Duplex, refusal: string) {
    incoming.counts.refused++
    ctx.log.warn({ refusal }, 'recording upload refused')
    socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }

  /** The next upload tries again. */
  function failed(err: unknown) {
    opened = undefined
    ctx.log.error({ err }, 'recording uploads cannot be received')
  }

  app.server.on('upgrade', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!mayUpload(request)) return refuse(socket, '403 Forbidden')
    opened ??= openServer()
    const uploads = await Promise.all([opened, delivery()]).catch(failed)
    if (!uploads) return refuse(socket, '503 Service Unavailable')
    const [{ server, receive }, delivered] = uploads
    if (server.clients.size >= at_once || incoming.isFull)
      return refuse(socket, '503 Service Unavailable')
    server.handleUpgrade(request, socket, head, (client) => receive(ctx, client, delivered))
  })
  app.addHook('onListen', async () => (await delivery()).start())
  app.addHook('preClose', async () => {
    const uploads = await opened
    if (!uploads) return
    const { server } = uploads
    const closed = [...server.clients].map(
      (client) => new Promise<void>((resolve) => client.once('close', () => resolve())),
    )
    for (const client of server.clients) client.refuse(1001, 'Going away')
    const cut = setTimeout(() => {
      for (const client of server.clients) client.terminate()
    }, 1_000)
    await Promise.all(closed)
    clearTimeout(cut)
  })
  app.addHook('onClose', async () => (await loading)?.close())
}
