import { plural, t } from '@switchroom/contract'
import { databaseNow } from '../../db/clock.ts'
import { errorMessage } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { unlessDatabaseIsDown } from '../../http/failing-part.ts'
import { every } from '../../live/every.ts'
import type { Finding } from '../../parts/registry.ts'

const PAUSE_MS = 3_000
const GATHER_PAUSE_MS = 10_000
const VIEWS_PAUSE_MS = 5_000
const OVERDUE_MS = 5 * 60_000

/**
 * Reads alerts, gathers failed calls, checks saved views and sends messages every few seconds, independently of each other, and reports
 * whether that works. What does it is loaded as it first runs. `stop` waits for running work.
 */
export function startAlerting(ctx: Context) {
  /** Why each of them does not work. */
  const failures = new Map<string, string>()
  const loop = (
    failure: string,
    sentenceOf: (error: string) => string,
    work: () => Promise<unknown>,
    pause_ms = PAUSE_MS,
  ) =>
    every(
      pause_ms,
      async () => {
        await work()
        failures.delete(failure)
      },
      {
        onError(err) {
          failures.set(failure, sentenceOf(errorMessage(err)))
          ctx.log.error({ err }, failure)
        },
      },
    )
  const loops = [
    loop(
      'alerts could not be read',
      (error) => t('alerts could not be read: {error}', { error }),
      async () => (await import('./claim-alerts.ts')).lookForAlerts(ctx),
    ),
    loop(
      'alerts could not be delivered',
      (error) => t('alerts could not be delivered: {error}', { error }),
      async () => (await import('./deliver-due.ts')).deliverDue(ctx),
    ),
    loop(
      'failed calls could not be gathered',
      (error) => t('failed calls could not be gathered: {error}', { error }),
      () => gather(ctx),
      GATHER_PAUSE_MS,
    ),
    loop(
      'alerts of saved views could not be checked',
      (error) => t('alerts of saved views could not be checked: {error}', { error }),
      () => checkViews(ctx),
      VIEWS_PAUSE_MS,
    ),
  ]
  ctx.health.watch({
    part: 'alert_delivery',
    every_ms: 30_000,
    run: unlessDatabaseIsDown(ctx.health, () => deliveryState(ctx, failures)),
  })
  return { stop: () => Promise.all(loops.map((loop) => loop.stop())) }
}

const gather = async (ctx: Context) => (await import('../failures/gather.ts')).gatherFailures(ctx)

const checkViews = async (ctx: Context) =>
  (await import('../view-alerts/check.ts')).checkViewAlerts(ctx)

async function deliveryState(
  { db, health }: Context,
  failures: ReadonlyMap<string, string>,
): Promise<Finding> {
  const { countOverdue } = await import('./delivery-queries.ts')
  const overdue = await countOverdue(db, (await databaseNow(db)) - OVERDUE_MS)
  health.measure('alert_deliveries_overdue', overdue)
  const [failure] = failures.values()
  if (failure) return { state: 'failing', sentence: failure }
  if (overdue > 0)
    return {
      state: 'degraded',
      sentence: plural(
        overdue,
        '1 alert should have been sent five minutes ago or earlier|{n} alerts should have been sent five minutes ago or earlier',
      ),
    }
  return { state: 'ok', sentence: t('No alert is overdue') }
}
