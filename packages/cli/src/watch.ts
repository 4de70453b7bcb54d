import { UsageError } from './exit.ts'
import type { Session } from './session.ts'

const SECONDS = 2

/** Repeats a command until the person stops it. */
export async function watching(session: Session, show: () => Promise<unknown>) {
  const { watch } = session.globals
  const seconds = watch === true ? SECONDS : Number(watch)
  if (!(seconds >= 1)) throw new UsageError('--watch takes seconds, at least 1')
  do {
    // a person sees it in place, a program one after the other
    if (session.terminal.isTerminal) session.terminal.out('\x1b[2J\x1b[H')
    await show()
  } while (await session.terminal.pause(seconds * 1_000))
}
