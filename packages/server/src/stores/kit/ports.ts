import { errorMessage, errorText } from '../../errors/members.ts'
import { StoreUnavailable } from './unavailable.ts'

/** Either end of a channel between threads. */
export type Port = {
  postMessage: (message: unknown) => void
  on: (event: 'message', listener: (message: unknown) => void) => unknown
}
type Operations = Record<string, (...args: never[]) => unknown>
type Question = { ask: string; id: number; args: never[] }
type Reply = { reply: number; value?: unknown; error?: { name: string; message: string } }

const MAX_PENDING = 1_000

/** Serves requests from the other end. Errors are returned to the caller. */
export function serveRequests(port: Port, operations: Operations) {
  port.on('message', async (message) => {
    // all requests come from `asking`; other messages are ignored
    const { ask, id, args } = message as Partial<Question>
    if (ask === undefined) return
    try {
      port.postMessage({ reply: id, value: await operations[ask]!(...args!) })
    } catch (e) {
      const error = { name: errorText(e, 'name') ?? 'Error', message: errorMessage(e) }
      port.postMessage({ reply: id, error })
    }
  })
}

export type Ask = <T>(what: string, ...args: unknown[]) => Promise<T>

/** Sends requests to the other end. `fail` rejects all pending ones. */
export function requester(port: Port): { ask: Ask; fail: (reason: string) => void } {
  const pending = new Map<number, PromiseWithResolvers<never>>()
  let next = 0
  port.on('message', (message) => {
    // all replies come from `answering`
    const { reply, value, error } = message as Reply
    const waiting = pending.get(reply)
    if (!waiting) return
    pending.delete(reply)
    if (error) waiting.reject(Object.assign(new Error(error.message), { name: error.name }))
    // the result of the named operation, whose type the caller knows
    else waiting.resolve(value as never)
  })
  return {
    async ask(what, ...args) {
      if (pending.size >= MAX_PENDING)
        throw new StoreUnavailable('The store of call records is overloaded')
      const id = next++
      const waiting = Promise.withResolvers<never>()
      pending.set(id, waiting)
      port.postMessage({ ask: what, id, args })
      return waiting.promise
    },
    fail(reason) {
      for (const { reject } of pending.values()) reject(new StoreUnavailable(reason))
      pending.clear()
    },
  }
}
