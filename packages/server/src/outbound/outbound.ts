import type { Agent } from 'node:http'
import https from 'node:https'
import { t } from '@switchroom/contract'
import type { WebSocket } from 'ws'
import { type Guard, guard } from './guard.ts'

export type Answer = {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
  /** The body as UTF-8. */
  text: string
}

/** Thrown when the response is larger than `max_bytes`. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

export type Outbound = {
  /**
   * Sends one HTTP request to a user-supplied URL. Does not follow redirects. Throws `Blocked` for internal
   * addresses, `TooLarge`, network errors and time-outs.
   */
  fetch: (
    url: string,
    how: {
      method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'HEAD'
      headers?: Record<string, string>
      body?: string | Buffer
      /** Time limit of the whole request: lookup, connection, response and body. */
      timeout_ms: number
      max_bytes: number
      /** Ends the request early. */
      signal?: AbortSignal | undefined
    },
  ) => Promise<Answer>
  /**
   * Opens a WebSocket to a user-supplied URL, paused: call `resume()` once listeners are attached. Throws
   * as `fetch` does, and `NotASocket` for an HTTP status. `timeout_ms` covers opening; a message above
   * `max_bytes` closes it with an error.
   */
  socket: (
    url: string,
    how: {
      headers?: Record<string, string>
      protocols?: string[]
      timeout_ms: number
      max_bytes: number
    },
  ) => Promise<WebSocket>
  /** Guarded agents for libraries with their own HTTP client. */
  agents: { http: Agent; https: https.Agent }
  guard: Guard
}

/**
 * The only way to send requests to user-supplied addresses. `allowed`: networks in CIDR that the operator
 * permits.
 */
export function outbound(allowed: readonly string[]): Outbound {
  const guarded = guard(allowed)
  const agents = guardedAgents(guarded)
  // loaded on first use, because it takes much memory
  let opened: ReturnType<typeof open> | undefined
  return {
    async fetch(url, { timeout_ms, max_bytes, signal, ...how }) {
      opened ??= open(guarded)
      const { request, dispatcher } = await opened
      const { statusCode, headers, body } = await request(url, {
        ...how,
        dispatcher,
        signal: signal
          ? AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
          : AbortSignal.timeout(timeout_ms),
      })
      const chunks: Buffer[] = []
      let size = 0
      const pieces: AsyncIterable<Buffer> = body
      for await (const chunk of pieces) {
        size += chunk.length
        if (size > max_bytes) {
          body.destroy()
          throw new TooLarge(t('The answer is too large'))
        }
        chunks.push(chunk)
      }
      const bytes = Buffer.concat(chunks)
      return { status: statusCode, headers, bytes, text: bytes.toString('utf8') }
    },
    socket: (url, how) => openSocket(url, how, agents),
    agents,
    guard: guarded,
  }
}

function guardedAgents(guarded: Guard) {
  const checking = <A extends Agent>(agent: A): A => {
    const create = agent.createConnection.bind(agent)
    agent.createConnection = (options, done) => {
      guarded.check(options.host ?? '')
      return create(options, done)
    }
    return agent
  }
  const options = { lookup: guarded.lookup, keepAlive: false }
  // an import would load Node's WebSocket and fetch as well, which nothing needs at the start
  const http = process.getBuiltinModule('node:http')
  return { http: checking(new http.Agent(options)), https: checking(new https.Agent(options)) }
}

/** An HTTP client that checks every connection. */
async function open(guarded: Guard) {
  const { Agent, buildConnector, request } = await import('undici')
  const connect = buildConnector({ lookup: guarded.lookup, timeout: 5_000 })
  const dispatcher = new Agent({
    connect: (options, done) => {
      try {
        guarded.check(options.hostname)
      } catch (e) {
        return done(e instanceof Error ? e : new Error(String(e)), null)
      }
      connect(options, done)
    },
    // connections are not shared between users
    pipelining: 0,
  })
  return { request, dispatcher }
}

/** Thrown when the server answers a WebSocket handshake with an HTTP status. */
export class NotASocket extends Error {
  override name = 'NotASocket'
  readonly status: number
  /** Target of a redirect. */
  readonly location: string | undefined
  constructor(status: number, location?: string) {
    super(t('The other side answered {status} instead of opening a WebSocket', { status }))
    this.status = status
    this.location = location
  }
}

async function openSocket(
  url: string,
  { protocols = [], timeout_ms, max_bytes, headers }: Parameters<Outbound['socket']>[1],
  agents: Outbound['agents'],
) {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(url, protocols, {
    agent: new URL(url).protocol === 'wss:' ? agents.https : agents.http,
    maxPayload: max_bytes,
    followRedirects: false,
    ...(headers && { headers }),
  })
  // covers the whole handshake; the library's own time limit restarts with every byte
  const late = AbortSignal.timeout(timeout_ms)
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      reject(late.reason)
      socket.terminate()
    }
    late.addEventListener('abort', giveUp)
    socket.once('open', () => {
      late.removeEventListener('abort', giveUp)
      socket.pause()
      resolve()
    })
    socket.once('error', reject)
    socket.once('unexpected-response', (request, { statusCode = 0, headers }) => {
      request.destroy()
      reject(new NotASocket(statusCode, headers.location))
    })
  })
  return socket
}
