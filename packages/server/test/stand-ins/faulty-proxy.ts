import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy whose faults begin and end on command. `existing`: bytes of open connections vanish in both directions,
 * new ones work. `all`: those of new ones vanish as well. Neither end notices.
 */
export async function faultyProxy(to: { host: string; port: number }) {
  const connections = new Set<{ isLost: boolean; sockets: Socket[] }>()
  const state = { losesNew: false, accepted: 0, chunks: 0 }
  const server = createServer((client) => {
    state.accepted++
    const target = connect(to)
    const connection = { isLost: state.losesNew, sockets: [client, target] }
    connections.add(connection)
    const pass = (from: Socket, into: Socket) => {
      from.on('data', (chunk) => {
        if (!connection.isLost) into.write(chunk)
      })
      from.on('end', () => {
        if (!connection.isLost) into.end()
      })
      from.on('close', () => {
        if (!connection.isLost) into.destroy()
      })
      from.on('error', () => undefined)
    }
    client.on('data', () => state.chunks++)
    pass(client, target)
    pass(target, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    accepted: () => state.accepted,
    /** How many times a client's bytes arrived. */
    chunks: () => state.chunks,
    lose(which: 'existing' | 'all') {
      for (const connection of connections) connection.isLost = true
      state.losesNew = which === 'all'
    },
    /** New connections work again; lost ones stay lost. */
    recover() {
      state.losesNew = false
    },
    close() {
      server.close()
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy()
    },
  }
}
