import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net'
import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'

it('gives up on an application that is silent, and on one that never ends', async () => {
  const t = await testApp({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  const drips = createServer((_, reply) => {
    const more = setInterval(() => reply.write(' '), 100)
    reply.on('close', () => clearInterval(more))
  })
  const silent = createTcp(() => {})
  const ask = async (server: Server | TcpServer) => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = encodeURIComponent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const both = ['/AppEnv/Check', '/AppEnv'].map((at) =>
      t.request('a1', 'GET', `${at}?url=${url}`),
    )
    const [check, schema] = await Promise.all(both)
    expect(check!.json()).toMatchObject({ problem: { code: 'too_late' } })
    expect(schema!.statusCode).toBe(204)
  }
  await Promise.all([ask(silent), ask(drips)])
  drips.closeAllConnections()
  drips.close()
  silent.close()
  await t.close()
})
