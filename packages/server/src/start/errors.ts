import pino from 'pino'
import { CannotStart, fileReason } from '../config/cannot-start.ts'
import { BadConfig, type Config } from '../config/config.ts'
import { WrongDatabase } from '../db/prepare.ts'
import { errorCode, errorMessage, errorText } from '../errors/members.ts'
import { openLog } from './log.ts'

/** Parses listen errors by message: errors from worker threads carry nothing else. */
const LISTEN = /(?:listen|bind) (E\w+).*? (\S+?)(?::(\d+))?$/
const RESOLVE = /getaddrinfo (E\w+) (\S+)$/

/** Prints why a command cannot run and exits. Exit code 2: configuration error. */
export function exitBecause(e: unknown, config: Config | undefined, what: string): never {
  const { text, status } = reasonFor(e, config)
  process.stderr.write(`${what}:\n${text}\n`)
  process.exit(status)
}

/** The same for the server: a line of its log, unless somebody reads it at a terminal. */
export function cannotStart(e: unknown, config: Config | undefined): never {
  const what = 'Switchroom cannot start'
  if (process.stderr.isTTY) exitBecause(e, config, what)
  const { text, status } = reasonFor(e, config)
  openLog('fatal', pino.destination(2)).fatal({ why: text.split('\n') }, what)
  process.exit(status)
}

function reasonFor(e: unknown, config: Config | undefined) {
  const why = e instanceof BadConfig || e instanceof WrongDatabase ? e : explain(e, config)
  return {
    text: withoutSecrets(why.message),
    status: why instanceof CannotStart ? why.status : 2,
  }
}

function explain(e: unknown, config: Config | undefined): CannotStart {
  if (e instanceof CannotStart) return e
  const code = errorCode(e) ?? ''
  const message = errorMessage(e)
  const path = errorText(e, 'path')
  if (config && (LISTEN.test(message) || RESOLVE.test(message))) return cannotListen(e, config)
  if (path !== undefined)
    return new CannotStart(
      `SWITCHROOM_DATA: ${path} cannot be read or written (${fileReason(e)}).`,
      {
        cause: e,
      },
    )
  return new CannotStart(code && !message.includes(code) ? `${code} ${message}` : message, {
    status: 1,
    cause: e,
  })
}

type Port = { names: string[]; host: string; port: number }

/** The ports that the server listens on, with their variables. */
function portsOf(config: Config): Port[] {
  const { telemetry, traces, captures } = config
  const ports: Port[] = [
    { names: ['HTTP_HOST', 'HTTP_PORT'], host: config.host, port: config.port },
  ]
  if (telemetry.kind === 'embedded' && telemetry.listen)
    ports.push({ names: ['SWITCHROOM_INGEST_INFLUX'], ...telemetry.listen })
  if (captures.kind === 'embedded' && captures.listen)
    ports.push({ names: ['SWITCHROOM_INGEST_HEP'], ...captures.listen })
  if (traces.kind === 'embedded')
    for (const at of traces.listen)
      ports.push({ names: ['SWITCHROOM_INGEST_OTLP', 'SWITCHROOM_INGEST_JAEGER'], ...at })
  return ports
}

function cannotListen(e: unknown, config: Config) {
  const message = errorMessage(e)
  const [, hostname] = RESOLVE.exec(message)?.slice(1) ?? []
  const [code, address, number] = LISTEN.exec(message)?.slice(1) ?? []
  const port = Number(number ?? 0)
  const found = portsOf(config).find((p) =>
    hostname === undefined ? p.port === port : p.host === hostname,
  )
  const names = found?.names ?? []
  // OTLP and Jaeger share a store: the one set to this port is meant
  const set = names.filter(
    (name) => !name.includes('INGEST') || process.env[name]?.endsWith(String(found?.port)),
  )
  const host = set.filter((name) => name !== 'HTTP_PORT').join(', ')
  const variable = set.filter((name) => name !== 'HTTP_HOST').join(', ')
  const at = `${address}:${port}`
  const change = (text: string) => new CannotStart(text, { cause: e })
  if (hostname !== undefined)
    return change(`${host}: the host name "${hostname}" cannot be resolved.`)
  if (code === 'EADDRINUSE') return change(`${variable}: another program already listens at ${at}.`)
  if (code === 'EACCES' || code === 'EPERM')
    return change(`${variable}: this user is not allowed to listen on port ${port}.`)
  if (code === 'EADDRNOTAVAIL')
    return change(`${host}: this machine does not have the address ${address}.`)
  return change(`${variable}: cannot listen at ${at} (${code}).`)
}

const SECRET = /SECRET|PASSWORD|_KEY$|TOKEN|SMTP_URL/

/** Removes values of secret environment variables from a library's message. */
function withoutSecrets(text: string) {
  for (const [name, value] of Object.entries(process.env))
    if (value && value.length >= 4 && SECRET.test(name)) text = text.replaceAll(value, '***')
  return text
}
