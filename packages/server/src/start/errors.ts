import pino from 'pino'
import { CannotStart, fileReason } from '../config/cannot-start.ts'
import { BadConfig, type Config } from '../config/config.ts'
import { hideSecrets } from '../config/hide-secrets.ts'
import { portsOf, variablesOf, whyNotListening } from '../config/ports.ts'
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
    text: hideSecrets(why.message, process.env),
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

function cannotListen(e: unknown, config: Config) {
  const message = errorMessage(e)
  const [, hostname] = RESOLVE.exec(message)?.slice(1) ?? []
  const [code, address, number] = LISTEN.exec(message)?.slice(1) ?? []
  const port = Number(number ?? 0)
  const found = portsOf(config).find((p) =>
    hostname === undefined ? p.port === port : p.host === hostname,
  )
  const names = found ? variablesOf(found, process.env) : []
  const at = `${address}:${port}`
  const change = (text: string) => new CannotStart(text, { cause: e })
  if (hostname !== undefined) {
    const host = names.filter((name) => name !== 'HTTP_PORT').join(', ')
    return change(`${host}: the host name "${hostname}" cannot be resolved.`)
  }
  return change(whyNotListening(names, code, at))
}
