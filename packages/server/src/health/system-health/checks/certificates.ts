import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { t } from '@switchroom/contract'
import type { Config } from '../../../config/config.ts'
import { errorCode } from '../../../errors/members.ts'
import type { Context } from '../../../http/context.ts'
import type { Finding } from '../../../parts/registry.ts'
import { sentenceOf } from '../../../parts/sentence.ts'

export const DAY_MS = 86_400_000
const LIMIT_MS = 5_000
export const SOON_DAYS = 21
export const NOW_DAYS = 3

/** A server that this one connects to over TLS. Its address is the operator's, from the environment. */
export type Endpoint = {
  name: string
  host: string
  port: number
  /** TLS settings that the server's own client trusts. */
  tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>
  starttls?: 'smtp'
}

export function endpointsOf(config: Config): Endpoint[] {
  const found: Endpoint[] = []
  const add = (name: string, url: string, ca?: string) => {
    const { protocol, hostname: host, port } = new URL(url)
    if (protocol !== 'https:') return
    found.push({ name, host, port: Number(port || 443), ...(ca !== undefined && { tls: { ca } }) })
  }
  if (config.telemetry.kind === 'influx') add('InfluxDB', config.telemetry.url)
  if (config.telemetry.kind === 'clickhouse') {
    const { url, ca } = config.telemetry.clickhouse
    add('ClickHouse', url, ca)
  }
  if (config.traces.kind === 'jaeger') add('Jaeger', config.traces.url)
  if (config.captures.kind === 'homer') add('Homer', config.captures.url)
  if (config.smtp) {
    const { protocol, hostname: host, port } = new URL(config.smtp.url)
    if (protocol === 'smtps:') found.push({ name: 'SMTP', host, port: Number(port || 465) })
    else found.push({ name: 'SMTP', host, port: Number(port || 587), starttls: 'smtp' })
  }
  const service = config.smtp ? undefined : config.mail_service
  if (service) add(service.kind === 'mailgun' ? 'Mailgun' : new URL(service.url).host, service.url)
  const { redis } = config
  if (redis?.tls && redis.host)
    found.push({ name: 'Redis', host: redis.host, port: redis.port ?? 6379, tls: redis.tls })
  return found
}

export const UNREACHABLE = /^(?:ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT)/

/** The certificates of servers that this one connects to, once a day. */
export function watchCertificates({ config, health }: Context) {
  const endpoints = endpointsOf(config)
  if (endpoints.length === 0) return
  health.watch({
    part: 'certificates',
    every_ms: DAY_MS,
    // each check is a connection to somebody's server
    least_ms: DAY_MS / 2,
    limit_ms: endpoints.length * (LIMIT_MS + 1_000),
    async run() {
      const found: Seen[] = []
      for (const endpoint of endpoints) {
        const { name } = endpoint
        try {
          const expires = await expiryOf(endpoint)
          if (expires !== undefined) {
            health.measure('certificate_expiry_timestamp_seconds', expires / 1_000, name)
            found.push({ name, expires, problem: undefined })
          }
        } catch (e) {
          // a server that is away has a row of its own
          if (!UNREACHABLE.test(errorCode(e) ?? ''))
            found.push({ name, expires: undefined, problem: sentenceOf(e) })
        }
      }
      return certificatesFinding(found, Date.now())
    },
  })
}

type Seen = { name: string; expires: number | undefined; problem: string | undefined }

export function certificatesFinding(found: Seen[], now: number): Finding | undefined {
  const broken = found.find(({ problem }) => problem !== undefined)
  const [first] = found
    .flatMap(({ name, expires }) => (expires === undefined ? [] : [{ name, expires }]))
    .sort((a, b) => a.expires - b.expires)
  if (first) {
    const days = Math.floor((first.expires - now) / DAY_MS)
    const when = new Date(first.expires).toISOString().slice(0, 10)
    const { name } = first
    const sentence =
      days < 0
        ? t('{name}: the certificate expired on {when}', { name, when })
        : t('{name}: the certificate expires on {when}', { name, when })
    if (days < NOW_DAYS) return { state: 'failing', sentence }
    if (days < SOON_DAYS) return { state: 'degraded', sentence }
    if (!broken)
      return {
        state: 'ok',
        sentence: t('{name}: the certificate expires on {when}, the earliest of {found}', {
          name,
          when,
          found: found.length,
        }),
      }
  }
  if (broken) {
    const { name, problem } = broken
    const sentence = t('{name}: the certificate cannot be read. {problem}', { name, problem })
    return { state: 'degraded', sentence }
  }
  return undefined
}

/** When the endpoint's certificate expires, in milliseconds; undefined if it does not use TLS. */
export async function expiryOf({
  host,
  port,
  tls,
  starttls,
}: Endpoint): Promise<number | undefined> {
  const deadline = AbortSignal.timeout(LIMIT_MS)
  let plain: Socket | undefined
  let secure: TLSSocket | undefined
  const abort = () => {
    plain?.destroy(deadline.reason)
    secure?.destroy(deadline.reason)
  }
  deadline.addEventListener('abort', abort)
  try {
    if (starttls) {
      plain = connectTcp({ host, port })
      if (!(await startTls(plain))) return undefined
    }
    // this check is for expired certificates, so one must not end the handshake
    const options = {
      ...tls,
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
    }
    secure = plain
      ? connectTls({ ...options, socket: plain })
      : connectTls({ ...options, host, port })
    const socket = secure
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
    })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } finally {
    deadline.removeEventListener('abort', abort)
    secure?.destroy()
    plain?.destroy()
  }
}

/** Starts TLS on a connection to an SMTP server. False if the server does not offer it. */
async function startTls(socket: Socket): Promise<boolean> {
  const lines = replies(socket)
  const ask = async (command: string) => {
    socket.write(`${command}\r\n`)
    return lines.next()
  }
  await lines.next()
  const { text } = await ask('EHLO switchroom')
  if (!/STARTTLS/i.test(text)) return false
  const { status } = await ask('STARTTLS')
  lines.stop()
  return status === '220'
}

/** Reads the replies of an SMTP server, whose last line has a space after its status. */
function replies(socket: Socket) {
  let text = ''
  let waiting: PromiseWithResolvers<{ status: string; text: string }> | undefined
  const look = () => {
    const end = /^(\d{3}) .*\r\n/m.exec(text)
    if (!end || !waiting) return
    const length = end.index + end[0].length
    waiting.resolve({ status: end[1]!, text: text.slice(0, length) })
    waiting = undefined
    text = text.slice(length)
  }
  const take = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    if (text.length > 65_536) socket.destroy(new Error(t('The reply is too long')))
    look()
  }
  socket.on('data', take)
  socket.on('error', (e) => waiting?.reject(e))
  socket.on('close', () => waiting?.reject(new Error(t('The connection was closed'))))
  return {
    next() {
      const reply = Promise.withResolvers<{ status: string; text: string }>()
      waiting = reply
      look()
      return reply.promise
    },
    stop: () => socket.off('data', take),
  }
}
