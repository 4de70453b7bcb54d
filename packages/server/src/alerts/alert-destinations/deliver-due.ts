import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import type { Logging } from '../../tenants/webhook-log/send-logged.ts'
import { type Delivery, recordAttempt, takeDue } from './delivery-queries.ts'
import type { Row } from './queries.ts'

const AT_ONCE = 20

type Delivering = Logging & Pick<Context, 'mail' | 'config'>

/** Sends all due deliveries. Failures are recorded at the destination and retried a few times. */
export async function deliverDue(ctx: Delivering, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(ctx.db))
  const due = await takeDue(ctx.db, now, AT_ONCE)
  if (due.length === 0) return 0
  const rows = await ctx.db
    .selectFrom('switchroom_alert_destinations')
    .selectAll()
    .where(
      'alert_destination_sid',
      'in',
      due.map((d) => d.alert_destination_sid),
    )
    .where('is_active', '=', 1)
    .execute()
  const names = await ctx.db
    .selectFrom('accounts')
    .select(['account_sid', 'name'])
    .where(
      'account_sid',
      'in',
      due.map((d) => d.account_sid),
    )
    .execute()
  const bySid = new Map(rows.map((r) => [r.alert_destination_sid, r]))
  const nameOf = new Map(names.map((a) => [a.account_sid, a.name]))
  await Promise.all(
    due.map((d) =>
      deliver(ctx, d, bySid.get(d.alert_destination_sid), nameOf.get(d.account_sid) ?? null, now),
    ),
  )
  return due.length
}

async function deliver(
  ctx: Delivering,
  delivery: Delivery,
  row: Row | undefined,
  account_name: string | null,
  now: number,
) {
  const { db, log } = ctx
  // the destination was disabled or deleted
  if (!row) return void (await recordAttempt(db, delivery, false, now))
  // loaded with the first: on most servers none is due
  const [{ noticeOf }, { send }, { noteTry }] = await Promise.all([
    import('./message.ts'),
    import('./send.ts'),
    import('./queries.ts'),
  ])
  const outcome = await send(
    ctx,
    row,
    noticeOf(ctx, delivery, account_name),
    now,
    delivery.attempts,
  )
  const again = !outcome.ok && !outcome.lasting
  ctx.health.count('alert_deliveries_total', outcome.ok ? 'delivered' : 'failed')
  const later = await recordAttempt(db, delivery, again, now)
  await noteTry(db, row.alert_destination_sid, now, outcome.ok ? null : outcome.message)
  const { alert_destination_sid } = row
  const { alert_type, attempts } = delivery
  const about = { alert_destination_sid, alert_type, attempts }
  if (outcome.ok) log.info(about, 'alert delivered')
  else
    log.warn(
      { ...about, reason: outcome.message },
      later ? 'alert not delivered, will be retried' : 'alert not delivered, given up',
    )
}
