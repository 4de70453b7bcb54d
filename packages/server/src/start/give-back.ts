import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the work of the background has run once, with the code that it loads. */
const AFTER_MS = 12_000
const LOOK_EVERY_MS = 1_000
/** Share of a second in which something ran, below which nobody is kept waiting. */
const QUIET = 0.05

/**
 * Gives memory back that only the start needed, once, when nobody asks for anything: a sixth of what is taken then. V8 keeps
 * room for what is new as large as loading everything made it, and would for hours on a quiet server.
 */
export async function giveBackWhenQuiet() {
  await setTimeout(AFTER_MS, undefined, { ref: false })
  for (;;) {
    const before = performance.eventLoopUtilization()
    await setTimeout(LOOK_EVERY_MS, undefined, { ref: false })
    if (performance.eventLoopUtilization(before).utilization < QUIET) return giveBack()
  }
}

/** Takes some 80 ms. */
export async function giveBack() {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  await gc({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
