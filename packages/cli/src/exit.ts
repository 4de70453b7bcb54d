import {
  ApiError,
  Changed,
  Conflict,
  Forbidden,
  InUse,
  InvalidRequest,
  NotFound,
  NotSupported,
  TooMany,
  Unauthenticated,
  Unavailable,
  Unreachable,
} from '@switchroom/client'
import { CommanderError } from 'commander'

/** Exit codes of the command line; the guide lists them (docs/guides/programs.md). */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  invalid: 3,
  refused: 4,
  not_found: 5,
  conflict: 6,
  unavailable: 7,
  not_supported: 8,
  problems: 9,
} as const

/** Thrown when the command was wrong, or something that it needs is missing here. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command stopped part of the way. */
export class Stopped extends Error {
  override name = 'Stopped'
  exit: number
  constructor(message: string, exit: number) {
    super(message)
    this.exit = exit
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof Stopped) return error.exit
  if (error instanceof NotSupported) return EXIT.not_supported
  if (error instanceof InvalidRequest) return EXIT.invalid
  if (error instanceof Unauthenticated || error instanceof Forbidden) return EXIT.refused
  if (error instanceof NotFound) return EXIT.not_found
  if ([Changed, Conflict, InUse].some((kind) => error instanceof kind)) return EXIT.conflict
  if ([Unreachable, TooMany, Unavailable].some((kind) => error instanceof kind))
    return EXIT.unavailable
  return EXIT.failed
}

/** Text of an error: its message, the fields at fault, what is in the way, and the request id of the server's log. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof ApiError)) return error.message
  const fields = error.issues.map(
    ({ path, message }) => `  ${path.join('.') || 'request'}: ${message}`,
  )
  const used =
    error instanceof InUse
      ? error.usedBy.map(
          ({ kind, total, items }) =>
            `  used by ${total} ${kind.replaceAll('_', ' ')}: ${items.map(({ name }) => name).join(', ')}`,
        )
      : []
  const id = error.requestId ? [`  request: ${error.requestId}`] : []
  return [error.message, ...fields, ...used, ...id].join('\n')
}
