import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { BackupFailed, STATUS } from '../packages/server/src/health/backups/failure.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'

type Command<Arguments> = {
  usage: string
  /** Throws or returns undefined if they are wrong. */
  parse: () => Arguments | undefined
  /** Throws `BackupFailed`; the signal is aborted by Ctrl-C. `wrongArguments` prints the usage and exits. */
  work: (
    given: Arguments,
    context: { config: Config; signal: AbortSignal; wrongArguments: () => never },
  ) => Promise<void>
  /** Each a sentence; `failed` is followed by the reason. */
  says: { cannotRun: string; cancelled: string; failed: string }
}

/** Runs a command that writes or reads a backup, and exits with one of `STATUS`. */
export async function runBackupCommand<T>({ usage, parse, work, says }: Command<T>) {
  const wrongArguments = () => {
    console.error(usage)
    process.exit(STATUS.refused)
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort())
  const given = parsed(parse) ?? wrongArguments()
  let config: Config | undefined
  try {
    config = readConfig(process.env)
    await work(given, { config, signal: stop.signal, wrongArguments })
  } catch (e) {
    if (!(e instanceof BackupFailed)) exitBecause(e, config, says.cannotRun)
    console.error(stop.signal.aborted ? says.cancelled : `${says.failed}\n${e.message}`)
    process.exit(e.status)
  }
  process.exit(0)
}

function parsed<T>(parse: () => T | undefined) {
  try {
    return parse()
  } catch {
    return undefined
  }
}

export const filesText = (n: number) => (n === 1 ? 'one file' : `${n} files`)
