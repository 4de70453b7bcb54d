import type { Context } from '../http/context.ts'
import { every } from '../live/every.ts'
import { reconcileDue, scheduleReconciles } from './reconcile.ts'

const PAUSE_MS = 3_000
const SCHEDULE_EVERY_MS = 10 * 60_000

/** Reconciles what is due, at once and every few seconds, until stopped; `stop` waits for what is under way. */
export function startBilling(ctx: Context) {
  if (!ctx.payments) return { stop: async () => {} }
  let scheduled = 0
  const run = async () => {
    if (Date.now() - scheduled > SCHEDULE_EVERY_MS) {
      await scheduleReconciles(ctx)
      scheduled = Date.now()
    }
    await reconcileDue(ctx)
  }
  const onError = (err: unknown) => ctx.log.error({ err }, 'cannot reconcile subscriptions')
  return every(PAUSE_MS, run, { onError, atOnce: true })
}
