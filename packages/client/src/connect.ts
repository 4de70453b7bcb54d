import { type AnyOptions, type AnyRequest, callEndpoint } from './call.ts'
import { commands } from './commands.ts'
import { type ConnectOptions, connection } from './connection.ts'
import { pageRequest, pages } from './pages.ts'
import type { Support } from './server.ts'
import type { Methods } from './types.ts'

export type Switchroom = Methods & {
  server: {
    /** Compares this client with the server: which commands each of them lacks. */
    support: () => Promise<Support>
  }
}

/** The API of a server: every endpoint of the contract as a function. Sends nothing yet. */
export function connect(options: ConnectOptions): Switchroom {
  const to = connection(options)
  const groups = Object.entries(commands).map(([group, members]) => [
    group,
    Object.fromEntries(
      Object.entries(members).map(([name, command]) => {
        const call = (request: AnyRequest = {}, options: AnyOptions = {}) =>
          callEndpoint(
            to,
            { group, name, command },
            command.paged ? pageRequest(command.paged, request) : request,
            { ...options },
          )
        return [name, command.paged ? Object.assign(call, listing(call)) : call]
      }),
    ),
  ])
  // made from the contract, as its type is
  return { ...Object.fromEntries(groups), server: { support: to.support } } as Switchroom
}

type Call = (request?: AnyRequest, options?: AnyOptions) => Promise<unknown>

const listing = (call: Call) => ({
  pages: (request: AnyRequest = {}, options?: AnyOptions) =>
    pages((page) => call(page, options), request),
  async *items(request: AnyRequest = {}, options?: AnyOptions) {
    for await (const { data } of pages((page) => call(page, options), request)) yield* data
  },
})
