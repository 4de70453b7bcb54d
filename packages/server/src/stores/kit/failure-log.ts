import { errorMessage } from '../../errors/members.ts'
import { withoutCredentials } from '../../parts/sentence.ts'

const REMIND_MS = 10 * 60_000

/**
 * Writes failures of one kind to the server's log, from any thread: the first one, then a reminder every ten
 * minutes at most with how many there were, and a line when it works again.
 */
export function failureLog(
  what: string,
  now: () => number = () => performance.now(),
  write = writeLine,
) {
  let down: { since: number; lastLine: number; suppressed: number } | undefined
  return {
    failed(error: unknown) {
      if (down && now() - down.lastLine < REMIND_MS) {
        down.suppressed++
        return
      }
      const { since = now(), suppressed = 0 } = down ?? {}
      down = { since, lastLine: now(), suppressed: 0 }
      write('error', { why: withoutCredentials(errorMessage(error)), suppressed }, `${what} failed`)
    },
    worked() {
      if (!down) return
      const { since, suppressed } = down
      down = undefined
      const seconds = Math.round((now() - since) / 1_000)
      write('info', { seconds, suppressed }, `${what} works again`)
    },
  }
}

type Write = (level: 'error' | 'warn' | 'info', fields: object, message: string) => void

/** The log's library is loaded with the first line: most threads never write one. */
export const writeLine: Write = (level, fields, message) => {
  const opened = import('pino').then(({ pino }) =>
    pino({ level: process.env.JAMBONES_LOGLEVEL || 'info' }, pino.destination(1)),
  )
  // without standard output there is nowhere to say so
  opened.then((log) => log[level](fields, message)).catch(() => undefined)
}
