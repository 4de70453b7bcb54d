import { t, type Webhook } from '@switchroom/contract'
import type { WebSocket } from 'ws'
import { errorCode } from '../../errors/members.ts'
import { NotASocket } from '../../outbound/outbound.ts'
import { failureOf } from '../../tenants/webhook-log/outcome.ts'
import { basicOf } from '../../tenants/webhooks/headers.ts'
import type { Clock } from './clock.ts'
import type { Limits } from './limits.ts'
import type { Received } from './received.ts'
import { clip } from './recorder.ts'
import { PAUSES_MS, retriesOf, withoutHash } from './retries.ts'
import type { Members, RunOutbound } from './run-application.ts'
import { type Command, closedSentence, messageId, readMessage } from './socket-messages.ts'

const PROTOCOL = 'ws.jambonz.org'
const MAX_REDIRECTS = 2
/** Connections of one call, with the first. */
const MAX_CONNECTIONS = 5
/** What the platform does when nothing is said of retries. */
const RETRIES = 5
/** The application is done: the verbs that are left still run. */
const GRACEFUL = 1000
const GOING_AWAY = 1001
const FAREWELL_MS = 1_000
const CLOSED = t('The WebSocket is closed')

export type Envelope = {
  type: string
  call_sid?: string
  hook?: unknown
  data: Members
  b3?: string
}

/** What the other side does by itself. */
export type SocketEvents = {
  onCommand: (command: Command) => void
  /** A message that the platform refuses. */
  onInvalid: (text: string, details: string) => void
  onEvent: (text: string) => void
  /** The application closed the connection, and does nothing more. */
  onDone: () => void
  /** The connection is lost for good. */
  onLost: (text: string) => void
  /** More messages than a run takes. */
  onFlood: () => void
}

export type AppSocket = {
  url: string
  /** Sends a message; with `wantsAck`, waits for its acknowledgment. Failures are in what it returns. */
  send: (message: Envelope, wantsAck: boolean) => Promise<Received>
  /** Nothing more is sent: the application closed it, or it is lost. */
  isDone: () => boolean
  /** Resolves to true once the application did something, or to false after so many milliseconds. */
  activity: (ms: number) => Promise<boolean>
  close: (code?: typeof GRACEFUL | typeof GOING_AWAY) => Promise<void>
}

type Deps = { outbound: Pick<RunOutbound, 'socket'>; clock: Clock; limits: Limits }

/** The WebSocket to an application, opened with the first message and again whenever it is lost. */
export function appSocket(
  { outbound, clock, limits }: Deps,
  hook: Webhook,
  events: SocketEvents,
): AppSocket {
  const basic = basicOf(hook)
  const policy = retriesOf(hook.url, RETRIES)
  const pending = new Map<string, { type: string; settle: (received: Received) => void }>()
  /** Ids of messages whose acknowledgment does no harm: none is wanted, or it is the second. */
  const settled = new Set<string>()
  let socket: WebSocket | undefined
  let opening: Promise<void> | undefined
  let first: Envelope | undefined
  let connections = 0
  let messages = 0
  /** Of the latest connection. */
  let attempts = 1
  let state: 'open' | 'done' | 'lost' | 'closed' = 'open'
  let wake = () => {}

  const failed = (text: string): Received => ({
    outcome: 'failed',
    status: null,
    text: '',
    body: undefined,
    attempts: 1,
    problem: { text },
  })

  async function follow(url: string, redirects = MAX_REDIRECTS): Promise<WebSocket> {
    try {
      return await outbound.socket(url, {
        protocols: [PROTOCOL],
        headers: { 'user-agent': 'jambonz', ...(basic && { authorization: `Basic ${basic}` }) },
        timeout_ms: limits.handshake_ms,
        max_bytes: limits.message_bytes,
      })
    } catch (e) {
      const { status, location } = e instanceof NotASocket ? e : {}
      if (!location || !status || status < 300 || status >= 400 || redirects === 0) throw e
      if (!URL.canParse(location, url)) throw e
      return follow(new URL(location, url).href.replace(/^http/, 'ws'), redirects - 1)
    }
  }

  async function connect(pause = 0) {
    clock.spend(pause)
    for (let attempt = 1; ; attempt += 1) {
      attempts = attempt
      try {
        listen(await clock.measure(follow(withoutHash(hook.url))))
        connections += 1
        return
      } catch (error) {
        const failure = error instanceof NotASocket ? { status: error.status } : { error }
        if (attempt > policy.count || !policy.retries(failure)) throw error
        clock.spend(PAUSES_MS[attempt - 1] ?? 0)
      }
    }
  }

  function listen(opened: WebSocket) {
    socket = opened
    // the run ended while this one was opened again
    if (state === 'closed') return opened.terminate()
    opened.on('message', (raw) => {
      messages += 1
      if (state === 'closed') return
      if (messages > limits.messages) {
        events.onFlood()
        void close()
      } else receive(String(raw))
      wake()
    })
    opened.on('error', (error) => {
      if (errorCode(error) === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        events.onEvent(
          t(
            'A message is larger than 24 KiB. The platform closes the WebSocket with code 1009 and connects again.',
          ),
        )
    })
    opened.on('close', (code, reason) => {
      if (opened !== socket || state !== 'open') return
      closed(code, clip(String(reason)))
      wake()
    })
    opened.resume()
  }

  function receive(text: string) {
    const message = readMessage(text)
    if (message.type === 'invalid') events.onInvalid(text, message.details)
    else if (message.type === 'command') events.onCommand(message)
    else {
      const waiting = pending.get(message.msgid)
      if (waiting)
        waiting.settle({ outcome: 'ok', status: null, text, body: message.data, attempts: 1 })
      else if (!settled.has(message.msgid))
        events.onEvent(
          t('The application acknowledged an unknown message. The platform ignores it.'),
        )
    }
  }

  function closed(code: number, reason: string) {
    const sentence = closedSentence(code, reason)
    events.onEvent(sentence)
    const types = [...pending.values()].map(({ type }) => type)
    // the first message is answered by the acknowledgment of `session:reconnect`
    for (const { type, settle } of pending.values())
      if (type !== 'session:new' || code === GRACEFUL) settle(failed(sentence))
    if (code === GRACEFUL) {
      state = 'done'
      events.onDone()
    } else if (!types.includes('session:reconnect')) opening = reconnect(sentence).finally(wake)
  }

  async function reconnect(sentence: string) {
    const waiting = [...pending.values()].find(({ type }) => type === 'session:new')
    const lose = (text: string) => {
      state = 'lost'
      waiting?.settle(failed(text))
      events.onLost(text)
    }
    try {
      if (connections >= MAX_CONNECTIONS) return lose(sentence)
      await connect(PAUSES_MS[connections - 1])
      if (!first) return
      const { outcome, body, text } = await exchange({ ...first, type: 'session:reconnect' })
      if (outcome === 'failed')
        lose(t('The application did not acknowledge the new connection. The call ends.'))
      else waiting?.settle({ outcome, status: null, text, body, attempts: 1 })
    } catch (error) {
      lose(failureOf(error, limits.handshake_ms).error)
    }
  }

  /** Sends it over the open connection and waits for its acknowledgment. */
  function exchange(message: Envelope) {
    const msgid = messageId()
    return new Promise<Received>((resolve) => {
      const late = setTimeout(
        () =>
          settle(
            failed(
              t('The application did not acknowledge the message within {seconds} seconds', {
                seconds: limits.ack_ms / 1_000,
              }),
            ),
          ),
        limits.ack_ms,
      )
      const settle = (received: Received) => {
        clearTimeout(late)
        if (received.outcome === 'ok') settled.add(msgid)
        pending.delete(msgid)
        resolve(received)
      }
      pending.set(msgid, { type: message.type, settle })
      write(message, msgid)
    })
  }

  function write({ type, call_sid, hook: label, data, b3 }: Envelope, msgid = messageId()) {
    if (!pending.has(msgid)) settled.add(msgid)
    // in the platform's order
    socket?.send(JSON.stringify({ type, msgid, call_sid, hook: label, data, b3 }), () => {})
  }

  /** Resolves once the other side has everything. */
  async function close(code = GRACEFUL) {
    if (state === 'open') state = 'closed'
    for (const { settle } of pending.values()) settle(failed(CLOSED))
    const closing = socket
    if (!closing || closing.readyState === closing.CLOSED) return
    closing.close(code)
    await new Promise<void>((resolve) => {
      // one that does not answer the farewell would stay open
      const impatient = setTimeout(() => closing.terminate(), FAREWELL_MS)
      closing.once('close', () => {
        clearTimeout(impatient)
        resolve()
      })
    })
  }

  return {
    url: hook.url,
    isDone: () => state !== 'open',
    async send(message, wantsAck) {
      const isFirst = !opening
      try {
        opening ??= connect()
        await opening
      } catch (error) {
        state = 'lost'
        return { ...failed(failureOf(error, limits.handshake_ms).error), attempts }
      }
      if (state !== 'open') return failed(CLOSED)
      if (message.type === 'session:new') first = message
      const tried = isFirst ? attempts : 1
      if (wantsAck) return { ...(await clock.measure(exchange(message))), attempts: tried }
      write(message)
      return { outcome: 'ok', status: null, text: '', body: undefined, attempts: tried }
    },
    async activity(ms) {
      return await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), ms)
        wake = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
    close,
  }
}
