import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { connect as connectTcp, isIP, isIPv6 } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  type GatewayProbe,
  PROBE_TRANSPORTS,
  type ProbeOutcome,
  type SipGateway,
  t,
} from '@switchroom/contract'
import { Blocked, type Guard } from '../../outbound/guard.ts'
import { type Answer, listener, optionsRequest, printable } from './message.ts'

/** Time limit of a whole probe: lookup, connection, request and answer. */
export const LIMIT_MS = 5_000
/** Retransmission timers of RFC 3261, 17.1.2.2. */
const T1_MS = 500
const T2_MS = 4_000

type Target = Pick<SipGateway, 'ipv4' | 'port' | 'protocol' | 'use_sips_scheme'>
type Transport = GatewayProbe['transport']
type Peer = { address: string; port: number }
type Ending = Pick<GatewayProbe, 'outcome' | 'status' | 'reason' | 'rtt_ms'>

const notAnswered = (outcome: ProbeOutcome, reason: string): Ending => ({
  outcome,
  status: null,
  reason: printable(reason),
  rtt_ms: null,
})

const NO_ANSWER = notAnswered('timeout', t('No answer in time'))
const NO_CONNECTION = notAnswered('timeout', t('Connection timed out'))
const NO_HANDSHAKE = notAnswered('timeout', t('The TLS handshake timed out'))
const NOT_RESOLVED = notAnswered('unreachable', t('The name does not resolve'))
const NOT_SIP = notAnswered('bad_answer', t('The response does not match the request'))
const TOO_MUCH = notAnswered('bad_answer', t('The response is too large'))
const CLOSED = notAnswered('bad_answer', t('The connection closed without an answer'))

const UNAVAILABLE = [408, 480, 500, 502, 503, 504]

function outcomeOf(status: number): ProbeOutcome {
  if (status < 300) return 'ok'
  if (status === 401 || status === 407) return 'unauthorized'
  if (status === 404 || status === 604) return 'not_found'
  return UNAVAILABLE.includes(status) ? 'unavailable' : 'refused'
}

const NETWORK_ERRORS: Record<string, string> = {
  ECONNREFUSED: t('Connection refused'),
  EHOSTUNREACH: t('No route to host'),
  ENETUNREACH: t('No route to host'),
  ECONNRESET: t('The connection was reset'),
  ETIMEDOUT: t('Connection timed out'),
}
const unreachable = ({ code = '' }: NodeJS.ErrnoException) =>
  notAnswered('unreachable', NETWORK_ERRORS[code] ?? (code || t('Network error')))

const formatPeer = ({ address, port }: Peer) =>
  isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`

/** Resolves the gateway's address (RFC 3263, without NAPTR). Throws `Blocked`, and the resolver's errors. */
async function resolveTarget({ ipv4: host, port }: Target, transport: Transport, guard: Guard) {
  const usual = transport === 'tls' ? 5061 : 5060
  if (isIP(host)) {
    guard.check(host)
    return { address: host, port: port ?? usual }
  }
  const service = port === null ? await serviceOf(host, transport) : undefined
  const address = await new Promise<string>((resolve, reject) =>
    guard.lookup(service?.name ?? host, { order: 'ipv4first' }, (error, found) =>
      error || typeof found !== 'string' ? reject(error) : resolve(found),
    ),
  )
  return { address, port: port ?? service?.port ?? usual }
}

const SERVICE = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

/** The preferred SRV target of a name; undefined when it has none. */
async function serviceOf(host: string, transport: Transport) {
  const records = await dns.resolveSrv(`${SERVICE[transport]}.${host}`).catch(() => [])
  // "." means no such service (RFC 2782): the host is probed then, to see if it answers anyway
  const usable = records.filter((r) => r.name !== '' && r.port > 0)
  return usable.sort((a, b) => a.priority - b.priority || b.weight - a.weight)[0]
}

type Exchange = {
  target: Target
  transport: Transport
  peer: Peer
  signal: AbortSignal
}

const requestFrom = ({ target, transport }: Exchange, local: Peer) =>
  optionsRequest({
    scheme: transport === 'tls' && target.use_sips_scheme ? 'sips' : 'sip',
    transport,
    host: target.ipv4,
    port: target.port,
    local: formatPeer(local),
  })

const endingOf = ({ status, reason }: Answer, since: number): Ending => ({
  outcome: outcomeOf(status),
  status,
  reason,
  rtt_ms: Math.ceil(performance.now() - since),
})

async function overUdp(exchange: Exchange): Promise<Ending> {
  const { peer, signal } = exchange
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const socket = createSocket(isIPv6(peer.address) ? 'udp6' : 'udp4')
  const fail = (e: Error) => resolve(unreachable(e))
  let again: NodeJS.Timeout | undefined
  let hasReceived = () => false
  socket.on('error', fail)
  signal.addEventListener('abort', () => resolve(hasReceived() ? NOT_SIP : NO_ANSWER), {
    once: true,
  })
  // a connected UDP socket hears only the peer, and reports ICMP errors
  socket.connect(peer.port, peer.address, () => {
    const request = requestFrom(exchange, socket.address())
    const parser = listener(request, 'datagrams')
    hasReceived = parser.hasReceived
    const since = performance.now()
    const send = (wait: number) => {
      socket.send(request.text, (e) => e && fail(e))
      again = setTimeout(send, wait, Math.min(wait * 2, T2_MS))
    }
    send(T1_MS)
    socket.on('message', (datagram) => {
      const answer = parser.push(datagram)
      if (answer === 'too_much') return resolve(TOO_MUCH)
      if (!answer) return
      if (answer.status >= 200) return resolve(endingOf(answer, since))
      clearTimeout(again)
      again = setTimeout(send, T2_MS, T2_MS)
    })
  })
  return promise.finally(() => {
    clearTimeout(again)
    socket.close()
  })
}

async function overStream(exchange: Exchange): Promise<Ending> {
  const { target, transport, peer, signal } = exchange
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const where = { host: peer.address, port: peer.port }
  // the certificate must match the configured name, not the SRV target
  const name = isIP(target.ipv4) ? {} : { servername: target.ipv4 }
  const tls = transport === 'tls'
  const socket = tls ? connectTls({ ...where, ...name }) : connectTcp(where)
  let connected = false
  let isReady = false
  let hasReceived = () => false
  const timeoutEnding = () => {
    if (!connected) return NO_CONNECTION
    if (!isReady) return NO_HANDSHAKE
    return hasReceived() ? NOT_SIP : NO_ANSWER
  }
  signal.addEventListener('abort', () => resolve(timeoutEnding()), { once: true })
  socket.on('error', (e) => {
    if (!connected) resolve(unreachable(e))
    // Node puts advice for its operator after a semicolon
    else resolve(isReady ? CLOSED : notAnswered('tls_failed', e.message.split(';')[0]!))
  })
  socket.on('close', () => resolve(hasReceived() ? NOT_SIP : CLOSED))
  socket.on('connect', () => {
    connected = true
  })
  socket.on(tls ? 'secureConnect' : 'connect', () => {
    isReady = true
    const request = requestFrom(exchange, {
      address: socket.localAddress!,
      port: socket.localPort!,
    })
    const parser = listener(request, 'stream')
    hasReceived = parser.hasReceived
    const since = performance.now()
    socket.write(request.text)
    socket.on('data', (chunk) => {
      const answer = parser.push(chunk)
      if (answer === 'too_much') resolve(TOO_MUCH)
      else if (answer && answer.status >= 200) resolve(endingOf(answer, since))
    })
  })
  return promise.finally(() => socket.destroy())
}

/** `tls/srtp` is TLS too. */
const transportOf = ({ protocol }: Target) =>
  PROBE_TRANSPORTS.find((transport) => protocol?.split('/')[0] === transport) ?? 'udp'

/** Probes a gateway with OPTIONS and returns the result. Never throws. */
export async function probe(
  target: Target,
  guard: Guard,
): Promise<Omit<GatewayProbe, 'sip_gateway_sid'>> {
  const at = new Date().toISOString()
  const transport = transportOf(target)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  const resultOf = (address: string, ending: Ending) => ({ at, ...ending, transport, address })
  let peer: Peer
  try {
    peer = await Promise.race([resolveTarget(target, transport, guard), timedOut])
  } catch (e) {
    const named = target.port === null ? target.ipv4 : `${target.ipv4}:${target.port}`
    return resultOf(named, e instanceof Blocked ? notAnswered('blocked', e.message) : NOT_RESOLVED)
  }
  const exchange = transport === 'udp' ? overUdp : overStream
  const ending = await exchange({ target, transport, peer, signal }).catch(unreachable)
  return resultOf(formatPeer(peer), ending)
}
