import { databaseNow } from '../../db/clock.ts'
import { errorMessage } from '../../errors/members.ts'
import type { Finding } from '../../health/registry.ts'
import type { Context } from '../../http/context.ts'
import { unlessDatabaseIsDown } from '../../http/failing-part.ts'
import { every } from '../../live/every.ts'
import { lookForAlerts } from './claim-alerts.ts'
import { deliverDue } from './deliver-due.ts'
import { countOverdue } from './delivery-queries.ts'

const PAUSE_MS = 3_000
const OVERDUE_MS = 5 * 60_000

/**
 * Reads alerts and sends messages every few seconds, independently of each other, and reports whether that
 * works. `stop` waits for running work.
 */
export function startAlerting(ctx: Context) {
  /** Why each of the two does not work. */
  const failures = new Map<string, string>()
  const loop = (failure: string, work: () => Promise<unknown>) =>
    every(
      PAUSE_MS,
      async () => {
        await work()
        failures.delete(failure)
      },
      {
        onError(err) {
          failures.set(failure, `${failure}: ${errorMessage(err)}`)
          ctx.log.error({ err }, failure)
        },
      },
    )
  const loops = [
    loop('alerts could not be read', () => lookForAlerts(ctx)),
    loop('alerts could not be delivered', () => deliverDue(ctx)),
  ]
  ctx.health.watch({
    part: 'alert_delivery',
    every_ms: 30_000,
    run: unlessDatabaseIsDown(ctx.health, () => deliveryState(ctx, failures)),
  })
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) }
}

async function deliveryState(
  { db, health }: Context,
  failures: ReadonlyMap<string, string>,
): Promise<Finding> {
  const overdue = await countOverdue(db, (await databaseNow(db)) - OVERDUE_MS)
  health.measure('alert_deliveries_overdue', overdue)
  const [failure] = failures.values()
  if (failure) return { state: 'failing', sentence: failure }
  if (overdue > 0)
    return {
      state: 'degraded',
      sentence: `${overdue} alerts should have been sent five minutes ago or earlier`,
    }
  return { state: 'ok', sentence: 'No alert is overdue' }
}
