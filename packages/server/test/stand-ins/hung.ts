import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The ways in which a server can hang after it has received a request. */
export const HANGS = {
  'never answers': () => undefined,
  'sends headers and no body': (r: ServerResponse) => r.writeHead(200).flushHeaders(),
  'drips its body': (r: ServerResponse) => void setInterval(() => r.write(' '), 100).unref(),
}
export type Hang = keyof typeof HANGS

/** Starts a server that hangs in this way. */
export async function hungServer(how: Hang = 'never answers') {
  const server = createServer((_, response) => HANGS[how](response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
