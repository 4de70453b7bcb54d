import type Stripe from 'stripe'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import * as intents from './intents.ts'

type Billing = Pick<Context, 'db' | 'log'>

/** Stripe keeps idempotency keys for a day; a retry after that would create a second customer. */
const KEY_KEPT_MS = 23 * 3_600_000

const storedId = async ({ db }: Billing, account_sid: string) =>
  (
    await db
      .selectFrom('accounts')
      .select('stripe_customer_id')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.stripe_customer_id ?? undefined

/** The account's Stripe customer id; creates the customer if needed. The caller holds the lease. */
export async function customerOf(
  ctx: Billing,
  stripe: Stripe,
  lease: intents.Lease,
  person: { name: string; email: string | undefined },
): Promise<string> {
  const { db } = ctx
  const { account_sid } = lease
  const known =
    (await storedId(ctx, account_sid)) ?? (await finishCustomer(ctx, stripe, lease, Date.now()))
  if (known) return known
  const request = { name: person.name, ...(person.email && { email: person.email }) }
  const intent = await intents.insert(db, { account_sid, action: 'customer', request })
  return create(ctx, stripe, lease, intent)
}

/** Finishes creating a customer after a process died in between. Undefined where none was begun. */
export async function finishCustomer(
  ctx: Billing,
  stripe: Stripe,
  lease: intents.Lease,
  now: number,
): Promise<string | undefined> {
  const open = await intents.openIntents(ctx.db, lease.account_sid)
  const begun = open.find(
    (i) => i.action === 'customer' && i.asked_at !== null && now - i.asked_at < KEY_KEPT_MS,
  )
  return begun && create(ctx, stripe, lease, begun)
}

async function create(
  { db }: Billing,
  stripe: Stripe,
  lease: intents.Lease,
  intent: intents.Intent,
) {
  const { account_sid } = lease
  const { name = '', email } = intents.requestOf(intent)
  if (intent.asked_at === null)
    await intents.mark(db, intent, { status: 'asked', asked_at: Date.now() })
  await intents.renewLease(db, lease)
  const { id } = await stripe.customers.create(
    { name, ...(email && { email }), metadata: { account_sid } },
    { idempotencyKey: intent.billing_intent_sid },
  )
  await transaction(db, async (tx) => {
    await tx
      .updateTable('accounts')
      .set({ stripe_customer_id: id })
      .where('account_sid', '=', account_sid)
      .execute()
    await intents.mark(tx, intent, { status: 'done', stripe_customer_id: id })
  })
  return id
}
