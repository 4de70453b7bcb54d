import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Terminal } from './terminal.ts'

// loaded late: what it shared with the rest would be a script of its own

type Id = string | number
type Message = {
  id?: Id
  method?: string
  params?: { requestId?: Id }
  result?: { protocolVersion?: string }
}

// of JSON-RPC
const NOT_JSON = -32_700
const FAILED = -32_000

const linesOf = (stream: ReadableStream<Uint8Array>) =>
  createInterface({ input: Readable.fromWeb(stream as never), crlfDelay: Number.POSITIVE_INFINITY })

/**
 * Carries messages of the Model Context Protocol between standard input and output, a line each, and the server's `/mcp`.
 * It knows nothing of what they say but who is answered.
 */
export async function bridge(
  { url, api_key }: { url: string; api_key: string },
  { stdin, out, fetch }: Terminal,
) {
  const asked = new Map<Id, AbortController>()
  let version: string | undefined
  const say = (message: object) => out(`${JSON.stringify(message)}\n`)
  const refuse = (id: Id | null, code: number, message: string) =>
    say({ jsonrpc: '2.0', id, error: { code, message } })

  async function pass(text: string, id: Id | undefined) {
    const left = new AbortController()
    if (id !== undefined) asked.set(id, left)
    try {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        body: text,
        signal: left.signal,
        headers: {
          authorization: `Bearer ${api_key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(version && { 'mcp-protocol-version': version }),
        },
      })
      if (!response.ok) throw new Error(await reasonIn(response))
      for await (const message of messagesIn(response)) {
        version ??= message.result?.protocolVersion
        say(message)
      }
    } catch (error) {
      // who cancels wants no answer, and a notification has none
      if (id !== undefined && !left.signal.aborted) refuse(id, FAILED, reasonOf(error, url))
    } finally {
      if (id !== undefined) asked.delete(id)
    }
  }

  const pending = new Set<Promise<void>>()
  for await (const text of linesOf(stdin())) {
    if (text.trim() === '') continue
    const message = parsed(text)
    if (!message) {
      refuse(null, NOT_JSON, 'This line is not a JSON object')
      continue
    }
    const { id, method, params } = message
    if (method === 'notifications/cancelled') {
      // the server knows requests by their connection
      if (params?.requestId !== undefined) asked.get(params.requestId)?.abort()
      continue
    }
    const sent = pass(text, method === undefined ? undefined : id)
    // what follows is said in the version that was agreed on
    if (method === 'initialize') await sent
    pending.add(sent)
    void sent.finally(() => pending.delete(sent))
  }
  await Promise.all(pending)
}

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text)
    const isObject = typeof message === 'object' && message !== null && !Array.isArray(message)
    return isObject ? message : undefined
  } catch {
    return undefined
  }
}

/** The messages of an answer, which is one or a stream of events. */
async function* messagesIn(response: Response): AsyncGenerator<Message> {
  if (!response.body) return
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield JSON.parse(text) as Message
    return
  }
  let data = ''
  for await (const line of linesOf(response.body)) {
    if (line.startsWith('data:')) data += line.slice('data:'.length)
    else if (line === '' && data !== '') {
      yield JSON.parse(data) as Message
      data = ''
    }
  }
}

async function reasonIn(response: Response) {
  if (response.status === 404)
    return 'This server does not serve agents. Its operator turns that on with SWITCHROOM_MCP=1.'
  const body = (await response.json().catch(() => undefined)) as { msg?: string } | undefined
  return body?.msg ?? `The server answered ${response.status}`
}

const reasonOf = (error: unknown, url: string) =>
  error instanceof TypeError ? `${url} cannot be reached` : (error as Error).message
