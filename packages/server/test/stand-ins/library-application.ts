import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** A session of the platform's client library: verbs are methods, hooks are events. */
export type LibrarySession = {
  [verb: string]: (...given: unknown[]) => LibrarySession
} & {
  on: (event: string, heard: (data: Record<string, unknown>) => void) => LibrarySession
  injectCommand: (command: string, data: unknown, call_sid?: string) => void
  sendCommand: (command: string, data?: unknown) => void
  sendToolOutput: (tool_call_id: string, data: unknown) => void
  sendTtsTokens: (text: string) => Promise<void>
}

const { createEndpoint } = createRequire(import.meta.url)('@jambonz/node-client-ws') as {
  createEndpoint: (options: object) => (options: { path: string }) => {
    on: (event: string, heard: (session: LibrarySession) => void) => void
  }
}

/** A WebSocket application written with the platform's published client library. */
export async function libraryApplication(
  onSession: (session: LibrarySession) => void,
  adulting: (session: LibrarySession) => void = (session) => void session.send!(),
) {
  const server = createServer()
  const makeService = createEndpoint({ server })
  makeService({ path: '/app' }).on('session:new', onSession)
  makeService({ path: '/app/adulting' }).on('session:new', adulting)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/app`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
