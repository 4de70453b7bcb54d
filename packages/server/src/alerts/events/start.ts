import type { Context } from '../../http/context.ts'
import { unlessDatabaseIsDown } from '../../http/failing-part.ts'
import { every } from '../../live/every.ts'

const GATHER_MS = 3_000
const DELIVER_MS = 1_000
const PRUNE_MS = 600_000

/**
 * Gathers events, sends them to webhooks, deletes old ones, and reports whether they arrive. The code of each is loaded
 * at its first run. `stop` waits for running work.
 */
export function startEvents(ctx: Context) {
  const loop = (pause_ms: number, failure: string, work: () => Promise<unknown>) =>
    every(pause_ms, work, { onError: (err) => ctx.log.error({ err }, failure) })
  const loops = [
    loop(GATHER_MS, 'events could not be gathered', async () =>
      (await import('./gather.ts')).gatherEvents(ctx),
    ),
    loop(DELIVER_MS, 'events could not be delivered', async () =>
      (await import('../event-subscriptions/deliver.ts')).deliverEvents(ctx),
    ),
    loop(PRUNE_MS, 'old events could not be deleted', async () =>
      (await import('./prune.ts')).pruneEvents(ctx.db),
    ),
  ]
  ctx.health.watch({
    part: 'event_delivery',
    every_ms: 30_000,
    run: unlessDatabaseIsDown(ctx.health, async () =>
      (await import('../event-subscriptions/overdue.ts')).overdueEvents(ctx),
    ),
  })
  return { stop: () => Promise.all(loops.map((one) => one.stop())) }
}
