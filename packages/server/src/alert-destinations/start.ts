import type { Context } from '../context.ts'
import { deliverDue } from './deliver.ts'
import { lookForAlerts } from './watch.ts'

const PAUSE_MS = 3_000

/**
 * Looks for alerts and delivers them, every few seconds, until stopped; `stop` waits for what is under way.
 * Neither waits for the other. What goes wrong is logged when it begins, and tried again.
 */
export function startAlerting(ctx: Context) {
  const loops = [
    repeat(ctx, 'alerts cannot be looked for', () => lookForAlerts(ctx)),
    repeat(ctx, 'alerts cannot be delivered', () => deliverDue(ctx)),
  ]
  return { stop: () => Promise.all(loops.map((stop) => stop())) }
}

function repeat({ log }: Context, trouble: string, work: () => Promise<unknown>) {
  let stopped = false
  let said = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const turn = async () => {
    try {
      await work()
      said = false
    } catch (err) {
      // once, not every few seconds
      if (!said) log.error({ err }, trouble)
      said = true
    }
    if (!stopped) next()
  }
  const next = () => {
    timer = setTimeout(() => {
      running = turn()
    }, PAUSE_MS)
    timer.unref()
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
