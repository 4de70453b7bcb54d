import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../../../../scripts/services.ts'
import { answerTo, ask, listening, tcpPeer, udpPeer } from '../../../test/sip-peers.ts'
import { guard } from '../../outbound/guard.ts'
import { probe } from './probe.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchroom-probe-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
// slow cases are in probe.timing.test.ts: here a busy machine must not be taken for a silent peer
beforeEach(() => {
  const never = new AbortController().signal
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(never)
})
afterEach(async () => {
  vi.restoreAllMocks()
  while (ends.length > 1) await ends.pop()!()
})

const SIPP = process.env.SIPP ?? '/usr/bin/sipp'

describe.skipIf(!existsSync(SIPP))('against SIPp', () => {
  async function sipp(answer: string, transport: 'u1' | 't1' = 'u1') {
    const scenario = readFileSync(
      new URL('../../../test/sipp/answering.xml', import.meta.url),
      'utf8',
    )
    const file = join(folder, 'scenario.xml')
    writeFileSync(file, scenario.replace('ANSWER', answer))
    const port = await freePort()
    const child: ChildProcess = spawn(
      SIPP,
      ['-sf', file, '-i', '127.0.0.1', '-p', String(port), '-t', transport, '-nostdin'],
      { cwd: folder, stdio: 'ignore' },
    )
    ends.push(() => child.kill('SIGKILL'))
    await vi.waitUntil(() => taken(port, transport) || child.exitCode !== null, 60_000)
    if (child.exitCode !== null) throw new Error('SIPp did not come up')
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
    const port = await freePort()
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

  it('recognizes a peer without TLS', async () => {
    const plain = await listening(
      createServer((s) => s.on('data', () => s.end('SIP/2.0 200 OK\r\n'))),
    )
    expect(await ask(plain, 'tls')).toMatchObject({ outcome: 'tls_failed' })
  })
})

describe('a hostile peer', () => {
  it('sends 10 MB', async () => {
    const port = await tcpPeer((_, socket) => socket.write(Buffer.alloc(10_000_000, 'a')))
    expect(await ask(port, 'tcp')).toMatchObject({
      outcome: 'bad_answer',
      reason: 'The response is too large',
    })
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
