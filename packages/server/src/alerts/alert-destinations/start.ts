import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import { lookForAlerts } from './claim-alerts.ts'
import { deliverDue } from './deliver-due.ts'

const PAUSE_MS = 3_000

/**
 * Reads alerts and sends messages every few seconds, independently of each other. `stop` waits for
 * running work.
 */
export function startAlerting(ctx: Context) {
  const logged = (trouble: string) => ({
    onError: (err: unknown) => ctx.log.error({ err }, trouble),
  })
  const loops = [
    every(PAUSE_MS, () => lookForAlerts(ctx), logged('alerts could not be read')),
    every(PAUSE_MS, () => deliverDue(ctx), logged('alerts could not be delivered')),
  ]
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) }
}
