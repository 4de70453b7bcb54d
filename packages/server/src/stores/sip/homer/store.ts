import { isRecord, membersOf, t } from '@switchroom/contract'
import { bodyWithin, reachable, withTimeout } from '../../kit/external.ts'
import { StoreUnavailable } from '../../kit/unavailable.ts'
import { withoutProofs } from '../credentials.ts'
import { ancestors, type CaptureStore, type Transaction, type Wanted } from '../store.ts'
import { capturedOf, parentIn, withoutRawProofs } from './messages.ts'

export type HomerOptions = { url: string; username: string; password: string }

/** As far as the platform's own API looks for a call, and how far an agent's clock may be ahead. */
const LOOKED_BACK_MS = 7 * 86_400_000
const AHEAD_MS = 3_600_000
const MAX_BYTES = 64_000_000
const NAME = t('The SIP captures (Homer)')
const UNREADABLE = t('{name} cannot be read', { name: NAME })

/** SIP captures in the operator's own Homer 7. Queries have only the Call-ID: Homer correlates the rest. */
export function homerCaptures(options: HomerOptions, seconds?: number) {
  const { url, username, password } = options
  const homer = { name: NAME, ...(seconds && { seconds }) }
  let token: Promise<string> | undefined

  async function post(signal: AbortSignal, path: string, body: object, bearer?: string) {
    const answer = await fetch(`${url}/api/v3${path}`, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
    })
    const bytes = await bodyWithin(MAX_BYTES, answer, t('This capture is too large to show'))
    return { status: answer.status, bytes }
  }

  async function loggedIn(signal: AbortSignal): Promise<string> {
    const { status, bytes } = await post(signal, '/auth', { username, password })
    if (status === 400 || status === 401 || status === 403)
      throw new StoreUnavailable(t('Homer rejected the username and password'))
    if (status !== 200 && status !== 201) throw refusal(status)
    const response = membersOf(jsonOf(bytes))
    if (typeof response.token !== 'string' || response.token === '')
      throw new StoreUnavailable(UNREADABLE)
    return response.token
  }

  /** Logs in on first use, and again when the token has expired. */
  const ask = (path: string, wanted: Wanted) =>
    withTimeout(homer, async (signal): Promise<Buffer | undefined> => {
      for (let tries = 0; ; tries++) {
        token ??= loggedIn(signal)
        const used = token
        const forget = () => {
          // unless another request has replaced the token meanwhile
          if (token === used) token = undefined
        }
        const bearer = await used.catch((e) => {
          forget()
          throw e
        })
        const { status, bytes } = await post(signal, path, searchFor(wanted), bearer)
        if (status === 401 && tries === 0) forget()
        else if (status === 404) return undefined
        else if (status !== 200 && status !== 201) throw refusal(status)
        else return bytes
      }
    })

  async function transaction(wanted: Wanted): Promise<Transaction | undefined> {
    const bytes = await ask('/call/transaction', wanted)
    if (bytes === undefined) return undefined
    const response = jsonOf(bytes)
    if (!isTransaction(response)) throw new StoreUnavailable(UNREADABLE)
    return response.total > 0 ? withoutRawProofs(response) : undefined
  }

  return {
    ping: () => reachable(homer, `${url}/`),
    transaction,
    async find(wanted: Wanted) {
      const bytes = await ask('/call/transaction', wanted)
      return bytes ? capturedOf(jsonOf(bytes), wanted) : { messages: [], cut: false }
    },
    async parentsOf(call_id) {
      const now = Date.now()
      const span = { from: now - LOOKED_BACK_MS, to: now + AHEAD_MS }
      return ancestors(call_id, async (id) => {
        const bytes = await ask('/call/transaction', { call_id: id, kind: 'call', ...span })
        return bytes && parentIn(jsonOf(bytes), id)
      })
    },
    async pcap(wanted: Wanted) {
      const bytes = await ask('/export/call/messages/pcap', wanted)
      // without messages Homer returns just a header, or nothing
      if (!bytes || bytes.length <= 24) return undefined
      const file = withoutProofs(bytes)
      return (async function* () {
        yield file
      })()
    },
  } satisfies CaptureStore & { ping: () => Promise<void> }
}

const isTransaction = (response: unknown): response is Transaction =>
  isRecord(response) && typeof response.total === 'number'

const refusal = (status: number) =>
  new StoreUnavailable(t('{name} answered {status}', { name: NAME, status }))

function searchFor({ call_id, also = [], kind, from, to }: Wanted) {
  const search = { id: 0, callid: [call_id, ...also], uuid: [] }
  return {
    timestamp: { from, to },
    param: {
      transaction: { call: kind === 'call', registration: kind === 'registration', rest: false },
      orlogic: true,
      search: { [`1_${kind}`]: search },
    },
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw new StoreUnavailable(UNREADABLE, { cause })
  }
}
