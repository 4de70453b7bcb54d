import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../../../scripts/services.ts'
import { guard } from '../../outbound/guard.ts'
import { probe } from './probe.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-probe-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
afterEach(async () => {
  while (ends.length > 1) await ends.pop()!()
})

const ask = (port: number, protocol = 'udp', more: object = {}) =>
  probe({ ipv4: '127.0.0.1', port, protocol, use_sips_scheme: 0, ...more }, guard(['127.0.0.0/8']))

/** A UDP peer that does this with every request. */
async function udpPeer(act: (request: string, answer: (text: string | Buffer) => void) => void) {
  const socket: UdpSocket = createSocket('udp4')
  socket.on('message', (request: Buffer, from: RemoteInfo) =>
    act(String(request), (text) => socket.send(text, from.port, from.address)),
  )
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  ends.push(() => socket.close())
  return socket.address().port
}

async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A TCP peer that does this with every piece of a request. */
const tcpPeer = (act: (request: string, socket: Socket) => void) =>
  listening(createServer((s) => s.on('data', (data) => act(String(data), s))))

const line = (request: string, name: string) =>
  request.split('\r\n').find((l) => l.startsWith(`${name}: `))!
const answerTo = (request: string, first = 'SIP/2.0 200 OK', more = '') =>
  [
    first,
    ...['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => line(request, name)),
    `${more}Content-Length: 0`,
    '',
    '',
  ].join('\r\n')

const SIPP = process.env.SIPP ?? '/usr/bin/sipp'

describe.skipIf(!existsSync(SIPP))('against SIPp', () => {
  async function sipp(answer: string | undefined, transport: 'u1' | 't1' = 'u1') {
    const name = answer ? 'answering' : 'silent'
    const scenario = readFileSync(
      new URL(`../../../test/sipp/${name}.xml`, import.meta.url),
      'utf8',
    )
    const file = join(folder, 'scenario.xml')
    writeFileSync(file, scenario.replace('ANSWER', answer ?? ''))
    const port = await freePort()
    const child: ChildProcess = spawn(
      SIPP,
      ['-sf', file, '-i', '127.0.0.1', '-p', String(port), '-t', transport, '-nostdin'],
      { cwd: folder, stdio: 'ignore' },
    )
    ends.push(() => child.kill('SIGKILL'))
    for (let tries = 0; !taken(port, transport); tries++) {
      if (tries > 100 || child.exitCode !== null) throw new Error('SIPp did not come up')
      await wait(50)
    }
    return port
  }

  /** Without a packet, which SIPp would take for a call. */
  const taken = (port: number, transport: 'u1' | 't1') =>
    readFileSync(`/proc/net/${transport === 'u1' ? 'udp' : 'tcp'}`, 'utf8').includes(
      `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000`,
    )

  it.each([
    ['200 OK', 'ok'],
    ['401 Unauthorized', 'unauthorized'],
    ['403 Forbidden', 'refused'],
    ['404 Not Found', 'not_found'],
    ['503 Service Unavailable', 'unavailable'],
  ])('reports %s as %s', async (answer, outcome) => {
    const port = await sipp(answer)
    const [status, ...reason] = answer.split(' ')
    const result = await ask(port)
    expect(result).toMatchObject({
      outcome,
      status: Number(status),
      reason: reason.join(' '),
      transport: 'udp',
      address: `127.0.0.1:${port}`,
    })
    expect(result.rtt_ms).toBeGreaterThan(0)
  })

  it('reports silence as a timeout', async () => {
    expect(await ask(await sipp(undefined))).toMatchObject({
      outcome: 'timeout',
      status: null,
      reason: 'No answer in time',
      rtt_ms: null,
    })
  })

  it('probes over TCP', async () => {
    expect(await ask(await sipp('200 OK', 't1'), 'tcp')).toMatchObject({
      outcome: 'ok',
      status: 200,
      transport: 'tcp',
    })
    expect(await ask(await sipp('403 Forbidden', 't1'), 'tcp')).toMatchObject({
      outcome: 'refused',
      status: 403,
    })
  })
})

describe('the request', () => {
  it('is a complete OPTIONS, retransmitted until answered', async () => {
    const requests: string[] = []
    const port = await udpPeer((request, answer) => {
      requests.push(request)
      if (requests.length === 3) answer(answerTo(request))
    })
    const result = await ask(port)
    expect(result.outcome).toBe('ok')
    // at 0, 500 and 1500 ms
    expect(result.rtt_ms).toBeGreaterThan(1_400)
    expect(new Set(requests).size).toBe(1)
    const local = /^Via: SIP\/2\.0\/UDP (127\.0\.0\.1:\d+);branch=z9hG4bK\w+;rport$/.exec(
      line(requests[0]!, 'Via'),
    )![1]
    expect(requests[0]!.split('\r\n')).toEqual([
      `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
      expect.any(String),
      'Max-Forwards: 70',
      expect.stringMatching(`^From: <sip:switchroom@${local}>;tag=\\w+$`),
      'To: <sip:127.0.0.1>',
      expect.stringMatching(/^Call-ID: [\w-]+$/),
      'CSeq: 1 OPTIONS',
      `Contact: <sip:switchroom@${local}>`,
      'Accept: application/sdp',
      'User-Agent: Switchroom',
      'Content-Length: 0',
      '',
      '',
    ])
  })

  it('goes on waiting after a provisional answer', async () => {
    const port = await udpPeer((request, answer) => {
      answer(answerTo(request, 'SIP/2.0 100 Trying'))
      // late enough that the provisional answer is read on its own
      setTimeout(() => answer(answerTo(request, 'SIP/2.0 486 Busy Here')), 300)
    })
    expect(await ask(port)).toMatchObject({ outcome: 'refused', status: 486 })
    const stream = await tcpPeer((request, socket) => {
      const trying = answerTo(request, 'SIP/2.0 100 Trying').replace('Content-Length: 0', 'l: 5')
      socket.write(`\r\n\r\n${trying}he`)
      setTimeout(() => socket.write(`llo${answerTo(request)}`), 200)
    })
    expect(await ask(stream, 'tcp')).toMatchObject({ outcome: 'ok', status: 200 })
  })

  it('accepts responses with compact and folded headers', async () => {
    const port = await udpPeer((request, answer) =>
      answer(
        answerTo(request)
          .replace('Via: ', 'v:\r\n  ')
          .replace('Call-ID', 'i')
          .replace('Content-Length', 'l')
          .replaceAll('\r\n', '\n'),
      ),
    )
    expect(await ask(port)).toMatchObject({ outcome: 'ok' })
  })
})

describe('without an answer', () => {
  it('reports that nothing listens', async () => {
    const port = await listening(createServer())
    await ends.pop()!()
    for (const protocol of ['udp', 'tcp', 'tls'])
      expect(await ask(port, protocol)).toMatchObject({
        outcome: 'unreachable',
        reason: 'Connection refused',
        transport: protocol,
      })
  })

  it('reports that a name does not resolve', async () => {
    expect(await ask(5060, 'udp', { ipv4: 'nowhere.invalid' })).toMatchObject({
      outcome: 'unreachable',
      reason: 'The name does not resolve',
      address: 'nowhere.invalid:5060',
    })
  })

  it('contacts no internal address that is not allowed', async () => {
    let requests = 0
    const port = await udpPeer(() => requests++)
    for (const ipv4 of ['127.0.0.1', '10.2.3.4', '169.254.169.254', 'localhost'])
      expect(
        await probe({ ipv4, port, protocol: 'udp', use_sips_scheme: 0 }, guard()),
      ).toMatchObject({ outcome: 'blocked', status: null, address: `${ipv4}:${port}` })
    expect(requests).toBe(0)
  })
})

describe('over TLS', () => {
  let own: { key: string; cert: string }
  beforeAll(() => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
        .concat(['-days', '2', '-subj', '/CN=sip.test', '-keyout', key, '-out', cert])
        .concat(['-addext', 'subjectAltName=IP:127.0.0.1']),
      { stdio: 'ignore' },
    )
    own = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  })
  const tlsPeer = () =>
    listening(
      createTlsServer(own, (socket) =>
        socket
          .on('error', () => undefined)
          .on('data', (data) => socket.write(answerTo(String(data)))),
      ),
    )

  it('rejects a self-signed certificate', async () => {
    expect(await ask(await tlsPeer(), 'tls')).toMatchObject({
      outcome: 'tls_failed',
      status: null,
      reason: 'self-signed certificate',
      transport: 'tls',
    })
  })

  it('accepts a trusted certificate only under its own name', async () => {
    const trusted = getCACertificates()
    setDefaultCACertificates([...trusted, own.cert])
    try {
      const port = await tlsPeer()
      expect(await ask(port, 'tls/srtp', { use_sips_scheme: 1 })).toMatchObject({ outcome: 'ok' })
      const byName = await ask(port, 'tls', { ipv4: 'localhost' })
      expect(byName.outcome).toBe('tls_failed')
      expect(byName.reason).toMatch(/^Hostname\/IP does not match/)
    } finally {
      setDefaultCACertificates(trusted)
    }
  })

  it('distinguishes a peer without TLS from one that never starts it', async () => {
    const plain = await listening(
      createServer((s) => s.on('data', () => s.end('SIP/2.0 200 OK\r\n'))),
    )
    expect(await ask(plain, 'tls')).toMatchObject({ outcome: 'tls_failed' })
    const mute = await listening(createServer(() => undefined))
    expect(await ask(mute, 'tls')).toMatchObject({
      outcome: 'timeout',
      reason: 'The TLS handshake timed out',
    })
  })
})

describe('a hostile peer', () => {
  it('sends garbage', async () => {
    const garbage = Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 7919) % 256))
    const udp = await udpPeer((_, answer) => answer(garbage))
    const tcp = await tcpPeer((_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const bad = {
      outcome: 'bad_answer',
      status: null,
      reason: 'The response does not match the request',
    }
    expect(await Promise.all([ask(udp), ask(tcp, 'tcp')])).toMatchObject([bad, bad])
  })

  it('sends 10 MB', async () => {
    const port = await tcpPeer((_, socket) => socket.write(Buffer.alloc(10_000_000, 'a')))
    const began = Date.now()
    expect(await ask(port, 'tcp')).toMatchObject({
      outcome: 'bad_answer',
      reason: 'The response is too large',
    })
    expect(Date.now() - began).toBeLessThan(2_000)
  })

  it('answers another request', async () => {
    const others = [
      (request: string) => answerTo(request.replace(/^Call-ID: .*$/m, 'Call-ID: another\r')),
      (request: string) => answerTo(request.replace(/branch=\w+/, 'branch=z9hG4bKanother')),
      (request: string) => answerTo(request.replace('CSeq: 1 OPTIONS', 'CSeq: 1 INVITE')),
    ]
    const ports = await Promise.all(
      others.map((other) => udpPeer((request, answer) => answer(other(request)))),
    )
    const results = await Promise.all(ports.map((port) => ask(port)))
    expect(results.map((r) => r.outcome)).toEqual(['bad_answer', 'bad_answer', 'bad_answer'])
    // and the right answer among wrong ones is found
    const port = await udpPeer((request, answer) => {
      answer(others[0]!(request))
      answer(answerTo(request, 'SIP/2.0 404 Not Found'))
    })
    expect(await ask(port)).toMatchObject({ outcome: 'not_found' })
  })

  it('hangs up', async () => {
    const port = await tcpPeer((_, socket) => socket.destroy())
    expect(await ask(port, 'tcp')).toMatchObject({
      outcome: 'bad_answer',
      reason: 'The connection closed without an answer',
    })
  })

  it('sends a reason with control characters', async () => {
    const words = `a\u0000b\u001b[31m\u202e${'😀'.repeat(500)}`
    const port = await udpPeer((request, answer) =>
      answer(answerTo(request, `SIP/2.0 403 ${words}`)),
    )
    const { reason } = await ask(port)
    expect(reason).toMatch(/^a b \[31m 😀+$/u)
    expect([...reason!]).toHaveLength(200)
  })

  it('has an invalid port', async () => {
    expect((await ask(99_999)).outcome).toBe('unreachable')
    expect((await ask(99_999, 'tcp')).outcome).toBe('unreachable')
  })
})
