import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { guard } from './guard.ts'
import { outbound } from './outbound.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    servers.push(server)
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })

const how = { method: 'GET', timeout_ms: 60_000, max_bytes: 1_000 } as const

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::7f00:1',
])('does not reach %s', (address) => {
  expect(guard().mayReach(address)).toBe(false)
})

describe('services of clouds', () => {
  const SERVICES = {
    'every cloud’s metadata': '169.254.169.254',
    'AWS containers': '169.254.170.2',
    'AWS DNS': '169.254.169.253',
    'Tencent metadata': '169.254.0.23',
    'Scaleway metadata': '169.254.42.42',
    'Azure wire server': '168.63.129.16',
    'Alibaba metadata': '100.100.100.200',
    'Alibaba DNS': '100.100.2.136',
    'Oracle classic metadata': '192.0.0.192',
    'IBM infrastructure': '161.26.0.10',
    'IBM service endpoints': '166.9.250.192',
  }
  const HEX = Object.values(SERVICES).map((ip) => {
    const [a, b, c, d] = ip.split('.').map((n) => Number(n).toString(16).padStart(2, '0'))
    return `${a}${b}:${c}${d}`
  })

  it.each(Object.entries(SERVICES))('are not reached: %s, %s', (_, ip) => {
    expect(guard().mayReach(ip)).toBe(false)
    expect(guard([`${ip}/32`]).mayReach(ip)).toBe(true)
  })

  it.each([
    ['AWS', 'fd00:ec2::254'],
    ['AWS containers', 'fd00:ec2::23'],
    ['Google', 'fd20:ce::254'],
    ['Oracle', 'fd00:c1::a9fe:a9fe'],
    ['OpenStack', 'fe80::a9fe:a9fe'],
    ['Linode', 'fd00:a9fe:a9fe::1'],
    ['Scaleway', 'fd00:42::42'],
  ])('are not reached over IPv6: %s, %s', (_, ip) => {
    expect(guard().mayReach(ip)).toBe(false)
  })

  it.each([
    ['mapped', (ip: string) => `::ffff:${ip}`],
    ['compatible', (ip: string) => `::${ip}`],
    ['translated', (ip: string) => `::ffff:0:${ip}`],
    ['NAT64', (ip: string) => `64:ff9b::${ip}`],
    ['local NAT64', (ip: string) => `64:ff9b:1::${ip}`],
    ['6to4', (ip: string) => `2002:${ip}::`],
    ['Teredo', (ip: string) => `2001:0:${ip}::`],
  ])('are not reached in another notation: %s', (_, written) => {
    for (const ip of HEX) expect([ip, guard().mayReach(written(ip))]).toEqual([ip, false])
  })

  it('do not keep out the addresses beside them', () => {
    for (const ip of [
      '168.63.129.15',
      '168.63.129.17',
      '161.25.255.255',
      '161.27.0.0',
      '166.7.0.1',
      '166.12.0.1',
    ])
      expect([ip, guard().mayReach(ip)]).toEqual([ip, true])
  })
})

it.each(['http://168.63.129.16/', 'http://[::ffff:168.63.129.16]/', 'http://2822734096/'])(
  'rejects %s, Azure’s wire server, before connecting',
  async (url) => {
    await expect(outbound([]).fetch(url, how)).rejects.toMatchObject({ name: 'Blocked' })
  },
)

it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('reaches %s', (address) => {
  expect(guard().mayReach(address)).toBe(true)
})

it('reaches an internal network that the operator allows, and no other', () => {
  const one = guard(['10.0.0.0/8', 'fd00::/8', '127.0.0.1'])
  expect(one.mayReach('10.9.9.9')).toBe(true)
  expect(one.mayReach('::ffff:10.9.9.9')).toBe(true)
  expect(one.mayReach('fd12::1')).toBe(true)
  expect(one.mayReach('127.0.0.1')).toBe(true)
  expect(one.mayReach('127.0.0.2')).toBe(false)
  expect(one.mayReach('192.168.0.1')).toBe(false)
})

it.each([
  'http://127.0.0.1:1/',
  'http://localhost:1/',
  'http://2130706433:1/',
  'http://0x7f.1:1/',
  'http://[::1]:1/',
  'http://[::ffff:127.0.0.1]:1/',
])('rejects %s before connecting', async (url) => {
  await expect(outbound([]).fetch(url, how)).rejects.toMatchObject({ name: 'Blocked' })
})

it('guards the connections of libraries too', async () => {
  const { request } = await import('node:http')
  const call = (url: string) =>
    new Promise((resolve, reject) => {
      try {
        request(url, { agent: outbound([]).agents.http }, resolve)
          .on('error', reject)
          .end()
      } catch (e) {
        reject(e)
      }
    })
  await expect(call('http://127.0.0.1:1/')).rejects.toMatchObject({ name: 'Blocked' })
  await expect(call('http://localhost:1/')).rejects.toMatchObject({ name: 'Blocked' })
})

it('returns a redirect instead of following it', async () => {
  const url = await listen(
    createServer((_, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
  )
  expect((await outbound(['127.0.0.0/8']).fetch(url, how)).status).toBe(302)
})

it('aborts an endless body', async () => {
  const url = await listen(
    createServer((_, reply) => {
      const more = setInterval(() => reply.write('x'.repeat(600)), 10)
      reply.on('close', () => clearInterval(more))
    }),
  )
  await expect(outbound(['127.0.0.0/8']).fetch(url, how)).rejects.toMatchObject({
    name: 'TooLarge',
  })
})

describe('a WebSocket', () => {
  const local = outbound(['127.0.0.0/8'])
  const opening = { timeout_ms: 60_000, max_bytes: 1_000 }
  const ws = (url: string) => url.replace('http', 'ws')

  const { promise: greeted, resolve: greet } = Promise.withResolvers<void>()
  /** A server that sends these messages to each client. */
  async function startGreeter(...messages: string[]) {
    const server = createServer()
    new WebSocketServer({ server }).on('connection', (socket, { headers }) => {
      if (headers['x-name']) socket.send(`Hello ${headers['x-name']}`, () => greet())
      for (const message of messages) socket.send(message)
      socket.on('message', (m) => socket.send(`echo ${m}`))
    })
    return ws(await listen(server))
  }

  /** All that is said until the line is dead or quiet, and why it died. */
  async function receive(socket: WebSocket) {
    const messages: string[] = []
    let died: string | undefined
    socket.on('message', (m) => messages.push(String(m)))
    socket.on('error', (e) => {
      died = e.message
    })
    socket.resume()
    await expect.poll(() => messages.length > 0 || died !== undefined).toBe(true)
    return { messages, died }
  }

  it('keeps messages that arrive before a listener is added', async () => {
    const socket = await local.socket(await startGreeter(), {
      ...opening,
      headers: { 'x-name': 'Ann' },
    })
    await greeted
    expect((await receive(socket)).messages).toEqual(['Hello Ann'])
    socket.send('there')
    const answer = await new Promise((resolve) => socket.once('message', (m) => resolve(String(m))))
    expect(answer).toBe('echo there')
    socket.terminate()
  })

  it.each([
    'ws://127.0.0.1:1/',
    'ws://2130706433:1/',
    'ws://[::ffff:127.0.0.1]:1/',
    'wss://169.254.169.254/',
    // judged once it is resolved
    'ws://localhost:1/',
    'wss://localhost:1/',
  ])('is not opened to %s', async (url) => {
    await expect(outbound([]).socket(url, opening)).rejects.toMatchObject({ name: 'Blocked' })
  })

  it('fails when the server answers with a status', async () => {
    const url = await listen(createServer((_, reply) => reply.writeHead(403).end('no')))
    await expect(local.socket(ws(url), opening)).rejects.toMatchObject({
      name: 'NotASocket',
      status: 403,
    })
  })

  it('does not follow a redirect', async () => {
    let followed = 0
    const elsewhere = createServer()
    new WebSocketServer({ server: elsewhere }).on('connection', () => followed++)
    const location = ws(await listen(elsewhere))
    const url = await listen(
      createServer().on('upgrade', (_, line) =>
        line.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
      ),
    )
    await expect(local.socket(ws(url), opening)).rejects.toMatchObject({
      name: 'NotASocket',
      status: 302,
    })
    expect(followed).toBe(0)
  })

  it('closes on a message that is too large', async () => {
    const socket = await local.socket(await startGreeter('x'.repeat(1_001)), opening)
    expect(await receive(socket)).toEqual({ messages: [], died: 'Max payload size exceeded' })
  })

  it('closes on data that is not WebSocket', async () => {
    await expect(local.socket('ftp://127.0.0.1/', opening)).rejects.toThrow()
    await expect(local.socket('no address', opening)).rejects.toMatchObject({
      code: 'ERR_INVALID_URL',
    })
  })
})
