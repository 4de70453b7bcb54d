import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { outbound } from './outbound.ts'

const servers: (Server | TcpServer)[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const listen = (server: Server | TcpServer) =>
  new Promise<string>((resolve) => {
    servers.push(server)
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })

const local = outbound(['127.0.0.0/8'])
const how = { method: 'GET', timeout_ms: 500, max_bytes: 1_000 } as const
/** Both of a test are over by then, unless something else than their limit ended them. */
const SOON_MS = 20_000

it('times out a request on a slow body and on no answer', async () => {
  const began = performance.now()
  const drips = await listen(
    createServer((_, reply) => {
      const more = setInterval(() => reply.write('x'), 50)
      reply.on('close', () => clearInterval(more))
    }),
  )
  await expect(local.fetch(drips, how)).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const silent = await listen(createTcp(() => {}))
  await expect(local.fetch(silent, how)).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(performance.now() - began).toBeLessThan(SOON_MS)
})

it('times out a WebSocket when it never opens or opens slowly', async () => {
  const silent = await listen(createTcp(() => {}))
  const began = performance.now()
  await expect(local.socket(silent.replace('http', 'ws'), how)).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const drips = await listen(
    createTcp((line) => {
      line.write('HTTP/1.1 101 Switching Protocols\r\nx-drip: ')
      const more = setInterval(() => line.write('x'), 50)
      line.on('close', () => clearInterval(more)).on('error', () => {})
    }),
  )
  await expect(local.socket(drips.replace('http', 'ws'), how)).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(performance.now() - began).toBeLessThan(SOON_MS)
})
