import { t } from '@switchroom/contract'
import { errorNumber } from '../errors/members.ts'
import type { Context } from '../http/context.ts'
import { every } from '../live/every.ts'
import type { Payments } from '../outbound/stripe.ts'
import type { Finding } from '../parts/registry.ts'

const PAUSE_MS = 3_000
const SCHEDULE_EVERY_MS = 10 * 60_000
const ASK_EVERY_MS = 5 * 60_000
const ASK_MS = 5_000

/** Reconciles due accounts, at once and every few seconds, until stopped; `stop` waits for work in progress. */
export function startBilling(ctx: Context) {
  const { payments } = ctx
  if (!payments) return { stop: async () => {} }
  ctx.health.watch({
    part: 'stripe',
    every_ms: ASK_EVERY_MS,
    least_ms: ASK_EVERY_MS / 10,
    limit_ms: 2 * ASK_MS,
    run: () => stripeState(payments),
  })
  let scheduled = Number.NEGATIVE_INFINITY
  const run = async () => {
    // only where there are payments
    const { reconcileDue, scheduleReconciles } = await import('./reconcile.ts')
    if (performance.now() - scheduled > SCHEDULE_EVERY_MS) {
      await scheduleReconciles(ctx)
      scheduled = performance.now()
    }
    await reconcileDue(ctx)
  }
  const onError = (err: unknown) => ctx.log.error({ err }, 'cannot reconcile subscriptions')
  return every(PAUSE_MS, run, { onError, atOnce: true })
}

async function stripeState(payments: Payments): Promise<Finding> {
  try {
    const stripe = await payments.client()
    await stripe.balance.retrieve({}, { timeout: ASK_MS, maxNetworkRetries: 0 })
  } catch (e) {
    const status = errorNumber(e, 'statusCode')
    if (status === 401)
      return { state: 'failing', sentence: t('Stripe does not accept STRIPE_API_KEY') }
    // a restricted key may not read the balance, and still work
    if (status === undefined || status >= 500) throw e
  }
  return { state: 'ok', sentence: t('Stripe answers') }
}
