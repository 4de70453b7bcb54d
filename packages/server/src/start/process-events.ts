import { format } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { withoutCredentials } from '../parts/sentence.ts'

const CONSOLE = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'warn' } as const

/**
 * Writes to the log what would otherwise reach standard output and error as plain text: warnings of Node and of
 * libraries, and what ends the process.
 */
export function logProcessEvents(log: FastifyBaseLogger) {
  // Node's own listener prints text
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ name }, withoutCredentials(message)))
  for (const [method, level] of Object.entries(CONSOLE))
    Reflect.set(console, method, (...args: unknown[]) =>
      log[level]({ from: 'library' }, withoutCredentials(format(...args))),
    )
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'Switchroom ends because of an error')
    process.exit(1)
  })
}
