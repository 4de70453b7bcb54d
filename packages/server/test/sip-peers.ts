import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { probe } from '../src/carriers/gateway-probes/probe.ts'
import { guard } from '../src/outbound/guard.ts'

/** Probes a peer of this test. */
export const ask = (port: number, protocol = 'udp', more: object = {}) =>
  probe({ ipv4: '127.0.0.1', port, protocol, use_sips_scheme: 0, ...more }, guard(['127.0.0.0/8']))

/** A UDP peer that does this with every request. */
export async function udpPeer(
  act: (request: string, answer: (text: string | Buffer) => void) => void,
) {
  const socket: UdpSocket = createSocket('udp4')
  socket.on('message', (request: Buffer, from: RemoteInfo) =>
    act(String(request), (text) => socket.send(text, from.port, from.address)),
  )
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  onTestFinished(() => void socket.close())
  return socket.address().port
}

export async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A TCP peer that does this with every piece of a request. */
export const tcpPeer = (act: (request: string, socket: Socket) => void) =>
  listening(createServer((s) => s.on('data', (data) => act(String(data), s))))

export const line = (request: string, name: string) =>
  request.split('\r\n').find((l) => l.startsWith(`${name}: `))!
export const answerTo = (request: string, first = 'SIP/2.0 200 OK', more = '') =>
  [
    first,
    ...['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => line(request, name)),
    `${more}Content-Length: 0`,
    '',
    '',
  ].join('\r\n')
