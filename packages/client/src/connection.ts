import { type Capabilities, membersOf } from '@switchroom/contract'
import { Unreachable } from './errors.ts'
import { isTransient, pauseBefore, retryAfterIn, wait } from './retry.ts'
import { type Support, supportIn } from './server.ts'

export type ConnectOptions = {
  /** URL of the console, such as `https://console.example.com`, or base URL of the API, which ends in `/v1`. */
  url: string
  /** An API key, or the token of a session. */
  apiKey?: string | undefined
  /** Maximum number of retries, for requests that can be repeated: reads, and creations with their `Idempotency-Key`. */
  retries?: number
  /** Sends requests; for proxies and tests. */
  fetch?: typeof fetch
  /** Waits before a request is repeated. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Random number from 0 to 1, which spreads the pauses of many clients. */
  random?: () => number
}

export type Outgoing = {
  method: string
  path: string
  body: RequestInit['body'] | undefined
  headers: Record<string, string>
  signal: AbortSignal | undefined
}

/** Tells if a request may be sent again: always, never, or (`keyed`) if the server honours its key. */
export type Repeatable = boolean | 'keyed'

export type Connection = {
  send: (request: Outgoing, repeatable: Repeatable) => Promise<Response>
  support: () => Promise<Support>
}

const API = '/api/v1'

/** The base URL of the API, and of the server it is part of. */
export function baseOf(url: string) {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  const isApi = path.endsWith('/v1')
  return {
    api: origin + (isApi ? path : path + API),
    server: origin + (isApi ? path.replace(/(?:\/api)?\/v1$/, '') : path),
  }
}

export function connection(options: ConnectOptions): Connection {
  const { apiKey, retries = 3, fetch = globalThis.fetch, random = Math.random } = options
  const pause = options.wait ?? wait
  const base = baseOf(options.url)

  const ask = (url: string, { method, body, headers, signal }: Omit<Outgoing, 'path'>) =>
    fetch(url, {
      method,
      headers: { ...headers, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: body ?? null,
      signal: signal ?? null,
      // Node refuses a stream without it
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
  const read = async (url: string): Promise<unknown> => {
    const response = await ask(url, {
      method: 'GET',
      body: undefined,
      headers: {},
      signal: undefined,
    })
    return response.ok ? response.json() : undefined
  }

  let keyed: Promise<boolean> | undefined
  /**
   * Asks if the server honours keys, only once an answer failed to come: one that does not would create a second
   * thing.
   */
  const honoursKeys = () =>
    (keyed ??= read(`${base.api}/Capabilities`).then(
      (found) => membersOf(found)['idempotency' satisfies keyof Capabilities] === true,
      () => {
        keyed = undefined
        return false
      },
    ))

  async function send(request: Outgoing, repeatable: Repeatable): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const mayRepeat = async () =>
        tries < retries && (repeatable === 'keyed' ? honoursKeys() : repeatable)
      let retryAfter: number | undefined
      try {
        const response = await ask(base.api + request.path, request)
        if (!isTransient(response.status) || !(await mayRepeat())) return response
        retryAfter = retryAfterIn(response)
        // a store that hangs would hang again
        const { code } = membersOf(
          await response
            .clone()
            .json()
            .catch(() => undefined),
        )
        if (code === 'store_timeout' || pauseBefore(tries, retryAfter, random) === undefined)
          return response
        await response.body?.cancel()
      } catch (cause) {
        request.signal?.throwIfAborted()
        if (!(await mayRepeat()))
          throw new Unreachable(`${base.server} cannot be reached`, { cause })
      }
      await pause(pauseBefore(tries, retryAfter, random) ?? 0, request.signal)
    }
  }

  let support: Promise<Support> | undefined
  return {
    send,
    support: () =>
      (support ??= read(`${base.server}/openapi.json`).then(supportIn, (cause) => {
        support = undefined
        throw new Unreachable(`${base.server} cannot be reached`, { cause })
      })),
  }
}
