import type { OwnSubscription } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import * as intents from './intents.ts'
import * as periods from './periods.ts'

export { startPlan } from './periods.ts'

/** The account's own view of its subscription; undefined where it has none. */
export async function own(
  { db, box }: Pick<Context, 'db' | 'box'>,
  account_sid: string,
): Promise<OwnSubscription | undefined> {
  const open = await periods.openPeriods(db, account_sid)
  const period =
    open.find((p) => p.pending === 0) ??
    open.find((p) => p.stripe_subscription_id !== null) ??
    open[0]
  if (!period) return undefined
  const bought = await db
    .selectFrom('account_products as bought')
    .innerJoin('products', 'products.product_sid', 'bought.product_sid')
    .select(['products.name', 'bought.quantity'])
    .where('bought.account_subscription_sid', '=', period.account_subscription_sid)
    .orderBy('products.name')
    .execute()
  const known = await db
    .selectFrom('switchroom_billing_accounts')
    .select(['ends_at', 'problem'])
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()
  const inForce = period.pending === 0
  const last4 = period.last4 === null ? undefined : box.open(period.last4)
  return {
    status: inForce || !period.stripe_subscription_id ? 'active' : 'suspended',
    account_subscription_sid: period.account_subscription_sid,
    start_date: period.effective_start_date,
    // products of a pending period are not granted yet
    products: inForce ? bought : [],
    ...(last4 && {
      last4,
      exp_month: period.exp_month ?? undefined,
      exp_year: period.exp_year ?? undefined,
      card_type: period.card_type ?? undefined,
      statement_descriptor: period.stripe_statement_descriptor ?? undefined,
    }),
    ...(known?.ends_at && { ends_at: new Date(known.ends_at).toISOString() }),
    ...(known?.problem && { payment_problem: known.problem }),
  }
}

/** Static addresses assigned to an account. Nothing here creates any. */
export const staticIps = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('account_static_ips')
      .select('public_ipv4')
      .where('account_sid', '=', account_sid)
      .execute()
  ).map((row) => row.public_ipv4)

/** Cancels billing of a deleted account. Call in the transaction that deletes it. */
export async function closeBilling(
  tx: Db,
  { account_sid, stripe_customer_id }: { account_sid: string; stripe_customer_id: string | null },
) {
  const known = await intents.openIntents(tx, account_sid)
  if (!stripe_customer_id && known.length === 0) {
    await tx
      .deleteFrom('switchroom_billing_accounts')
      .where('account_sid', '=', account_sid)
      .execute()
    return
  }
  await intents.insert(tx, { account_sid, action: 'close', request: {}, stripe_customer_id })
  await intents.reconcileAfter(tx, account_sid, 0)
}
