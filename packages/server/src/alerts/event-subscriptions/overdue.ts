import { plural, t } from '@switchroom/contract'
import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import type { Finding } from '../../parts/registry.ts'

/** Time that an event may wait for its webhook, including the first retries of a receiver with a temporary failure. */
const OVERDUE_MS = 10 * 60_000

/** Degraded while events wait: their receivers fail, or nothing sends them. Webhooks that are off do not count. */
export async function overdueEvents({ db }: Pick<Context, 'db'>, at?: number): Promise<Finding> {
  const now = at ?? (await databaseNow(db))
  const { webhooks, oldest } = await db
    .selectFrom('switchroom_event_deliveries as delivery')
    .innerJoin(
      'switchroom_event_subscriptions as subscription',
      'subscription.event_subscription_sid',
      'delivery.event_subscription_sid',
    )
    .select((eb) => [
      eb.fn.count('delivery.event_subscription_sid').distinct().as('webhooks'),
      eb.fn.min('delivery.added_at').as('oldest'),
    ])
    // deliveries that wait
    .where('delivery.next_at', 'is not', null)
    .where('delivery.added_at', '<', now - OVERDUE_MS)
    .where('subscription.is_active', '=', 1)
    .executeTakeFirstOrThrow()
  const n = Number(webhooks)
  if (n === 0) return { state: 'ok', sentence: t('No event is overdue') }
  const minutes = Math.floor((now - Number(oldest)) / 60_000)
  return {
    state: 'degraded',
    sentence: plural(
      n,
      '1 webhook is waiting for events, the oldest for {minutes} minutes|{n} webhooks are waiting for events, the oldest for {minutes} minutes',
      { minutes },
    ),
  }
}
