import {
  isRecord,
  membersOf,
  type RunProblem,
  type RunRequestName,
  t,
  type Webhook,
} from '@switchroom/contract'
import type { Call } from './call.ts'
import { snakeCase, traceHeader } from './call-members.ts'
import { sendHttp } from './http.ts'
import { RunOver } from './limits.ts'
import { readVerbs } from './read-verbs.ts'
import type { Received } from './received.ts'
import { clip } from './recorder.ts'
import type { Members, Verb } from './run-application.ts'
import { openSocket } from './session.ts'
import { isWalked } from './walkable.ts'

/** A hook as an application writes it. */
export type HookValue = unknown

export type Message = {
  name: RunRequestName
  hook: HookValue
  data: Members
  /** The verb whose hook it is. */
  verb?: string
  /** `verbs` for what may replace the running ones. */
  expects: 'verbs' | 'anything' | 'nothing'
  /** Whose credentials go with it; the call's if not given. */
  credentials?: Webhook | null
  /** Whether it has no trace header, as some hooks. */
  isUntraced?: boolean
  /** Whether the call goes on while it is answered. */
  isAside?: boolean
}

/** What the platform makes of an answer. */
export type Reply = {
  /** The verbs of a valid list; undefined for anything but a list. */
  verbs?: Verb[]
  body: unknown
  /** Why it is an error, and how the platform words it where that is known. */
  problem?: { text: string; reason?: string | undefined }
  /** On the run's clock, unless the call goes on meanwhile. */
  ms: number
  /** Whether it came from another place than the WebSocket of the call. */
  isElsewhere: boolean
}

const WEBSOCKET = /^wss?:\/\//i
const HTTP = /^https?:\/\//i

export const isSocketUrl = (url: string) => WEBSOCKET.test(url)

/** Sends a message where the platform would, reads the answer as it does, and keeps both as a step. */
export async function exchange(call: Call, message: Message): Promise<Reply> {
  const { clock, recorder, counts, limits } = call
  counts.requests += 1
  if (counts.requests > limits.requests)
    throw new RunOver(
      t('Limit reached: {limit} requests. The application may be looping.', {
        limit: limits.requests,
      }),
    )
  const at = clock.now()
  const data = membersOf(snakeCase(message.data))
  const target = targetOf(call, message)
  const began = performance.now()
  const received = await send(call, message, target, data)
  if (call.failure) throw call.failure
  const ms = message.isAside ? Math.round(performance.now() - began) : clock.now() - at
  const { reply, problems } = judge(call, received, message)
  recorder.add(
    {
      kind: 'request',
      name: message.name,
      verb: message.verb ?? null,
      method: target.kind === 'http' ? target.method : 'WS',
      url: clip(target.url, 1_000),
      data: recorder.body(JSON.stringify(data)),
      answer:
        received.status === null && received.text === ''
          ? null
          : { status: received.status, body: recorder.body(received.text) },
      ms,
      attempts: received.attempts,
      problems,
    },
    at,
  )
  return { ...reply, ms, isElsewhere: target.kind !== 'socket' }
}

type Target =
  | { kind: 'http'; url: string; method: 'GET' | 'POST' }
  | { kind: 'socket'; url: string; label: unknown }
  | { kind: 'new socket'; url: string }
  | { kind: 'nowhere'; url: string }

/** Where a hook leads. Only an object, or a hook that is stored, has a method; text is always POST. */
function targetOf({ base, socket }: Call, { hook }: Message): Target {
  const { url: inObject, method } = membersOf(hook)
  const url = typeof hook === 'string' ? hook : typeof inObject === 'string' ? inObject : ''
  const verb = String(method ?? '').toUpperCase() === 'GET' ? 'GET' : 'POST'
  if (HTTP.test(url)) return { kind: 'http', url, method: verb }
  if (socket && (url === socket.url || !WEBSOCKET.test(url)))
    // the platform reads the URL out of an object
    return { kind: 'socket', url, label: url }
  if (WEBSOCKET.test(url)) return { kind: 'new socket', url }
  if (base && url.startsWith('/') && URL.canParse(url, base.url))
    return { kind: 'http', url: new URL(url, base.url).href, method: verb }
  return { kind: 'nowhere', url }
}

/** What must be acknowledged. */
const ACKNOWLEDGED: RunRequestName[] = [
  'session:new',
  'session:adulting',
  'session:redirect',
  'verb:hook',
  'dial:confirm',
]
/** What must be answered with something that the platform reads. */
const NEEDED: RunRequestName[] = [
  'session:new',
  'session:redirect',
  'llm:tool-call',
  'agent:tool-call',
]
const WITH_HOOK: RunRequestName[] = [
  'verb:hook',
  'dial:confirm',
  'session:redirect',
  'llm:tool-call',
  'agent:tool-call',
]
async function send(
  call: Call,
  message: Message,
  target: Target,
  data: Members,
): Promise<Received> {
  const { name, isUntraced } = message
  const b3 = isUntraced ? undefined : traceHeader(call)
  const envelope = (type: string, hook?: unknown) => ({
    type,
    call_sid: call.leg.call_sid,
    ...(hook !== undefined && { hook }),
    data,
    ...(b3 && { b3 }),
  })
  switch (target.kind) {
    case 'http':
      return sendHttp(call, {
        url: target.url,
        method: target.method,
        credentials: message.credentials === undefined ? call.base : message.credentials,
        body: JSON.stringify(data),
        b3,
        isAside: message.isAside,
      })
    case 'socket': {
      const label = WITH_HOOK.includes(name) ? target.label : undefined
      return call.socket!.send(envelope(name, label), ACKNOWLEDGED.includes(name))
    }
    case 'new socket': {
      // an HTTP session asks another application for one answer
      const { username, password } = call.base ?? { username: null, password: null }
      const socket = openSocket(call, { url: target.url, method: 'GET', username, password })
      const received = await socket.send(envelope('session:new'), true)
      await socket.close()
      return received
    }
    case 'nowhere':
      return {
        outcome: 'failed',
        status: null,
        text: '',
        body: undefined,
        attempts: 1,
        problem: {
          text: t(
            '{hook} is not a valid hook. Use an absolute URL, or a path that starts with /.',
            {
              hook: clip(target.url) || '""',
            },
          ),
        },
      }
  }
}

function judge(call: Call, { body, text, problem, note }: Received, { name, expects }: Message) {
  if (problem) return { reply: { body, problem }, problems: [{ path: [], text: problem.text }] }
  // a plain OK says as little as it means to, but where an answer is needed
  const isMeant = expects !== 'nothing' && (NEEDED.includes(name) || /^\s*[[{]/.test(text))
  const notes: RunProblem[] = note && isMeant ? [{ path: [], text: note }] : []
  if (expects !== 'verbs') return { reply: { body }, problems: notes }
  if (!Array.isArray(body)) {
    if (isVerbLike(body))
      notes.push({
        path: [],
        text: t('The response is not an array. The platform treats it as empty.'),
      })
    return { reply: { body }, problems: notes }
  }
  const { verbs, problem: wrong, reason } = readVerbs(call, body)
  return wrong
    ? {
        reply: { body, problem: { text: wrong.text, reason: reason ?? wrong.text } },
        problems: [wrong],
      }
    : { reply: { body, verbs: verbs ?? [] }, problems: notes }
}

/** Whether verbs were meant. */
const isVerbLike = (body: unknown) =>
  isRecord(body) && ('verb' in body || Object.keys(body).some(isWalked))
