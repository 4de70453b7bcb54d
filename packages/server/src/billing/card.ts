import type { SubscriptionOutcome } from '@switchroom/contract'
import { type api, CARD_REFUSED, type Received, TOO_MANY_CARDS, t } from '@switchroom/contract'
import { errorCode, errorText } from '../errors/members.ts'
import { Failure } from '../http/failure.ts'
import * as intents from './intents.ts'
import {
  failIntents,
  findUnfinished,
  finishIntent,
  type LeasedRequest,
  markSent,
  recordIntent,
} from './lease.ts'
import { outcomeOf } from './outcome.ts'
import { refusedCard } from './payment-failure.ts'
import { fetchSnapshot, wantsAction } from './stripe-snapshot.ts'

/** The request body of a subscription change. */
export type Body = Received<typeof api.subscriptions.change>['body']

const HOUR_MS = 3_600_000
const CARDS_AN_HOUR = 20

/** Throws 429 after too many cards, so that nobody can test stolen cards here. */
export async function refuseTooMany({ ctx, account }: LeasedRequest) {
  const tries = await intents.cardsSince(ctx.db, account.account_sid, Date.now() - HOUR_MS)
  if (Number(tries) >= CARDS_AN_HOUR)
    throw new Failure('too_many', TOO_MANY_CARDS, { retry_after: HOUR_MS / 1000 })
}

/**
 * Makes this the card that is charged. Resolves to an outcome when the bank declines it, else to undefined.
 */
export async function keepCard(
  { stripe, ask }: LeasedRequest,
  { billing_intent_sid: key }: intents.Intent,
  customer: string,
  payment_method_id: string,
): Promise<SubscriptionOutcome | undefined> {
  try {
    // Stripe's test payment methods get another id when attached
    const { id } = await ask(() =>
      stripe.paymentMethods.attach(
        payment_method_id,
        { customer },
        { idempotencyKey: `${key}-attach` },
      ),
    )
    await ask(() =>
      stripe.customers.update(
        customer,
        { invoice_settings: { default_payment_method: id } },
        { idempotencyKey: `${key}-default` },
      ),
    )
    return undefined
  } catch (e) {
    const refused = refusedCard(e)
    if (!refused) throw e
    return { status: 'card error', reason: refused.reason || CARD_REFUSED }
  }
}

/** Replaces the card. An open invoice is paid with the new one at once. */
export async function changeCard(leased: LeasedRequest, body: Body): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = leased
  const customer = account.stripe_customer_id
  if (!customer)
    throw new Failure(
      'invalid',
      t('Account {account_sid} is not provisioned in Stripe', { account_sid: account.account_sid }),
    )
  const payment_method_id = body.payment_method_id!
  const request = { payment_method_id }
  const known = await findUnfinished(leased, 'update-payment-method', request)
  if (!known) await refuseTooMany(leased)
  const intent =
    known ?? (await recordIntent(leased, 'update-payment-method', request, { customer }))
  const refused = await keepCard(leased, intent, customer, payment_method_id)
  if (refused) {
    await failIntents(ctx.db, [intent])
    return refused
  }
  const { invoice, status } = await ask(() => fetchSnapshot(stripe, ctx.db, customer))
  await markSent(leased, intent)
  const paymentRefusal =
    invoice?.status === 'open' ? await payNow(leased, intent, invoice.id!) : undefined
  await forgetOthers(leased, customer)
  const snapshot = await finishIntent(leased, customer, intent)
  if (!paymentRefusal) return { status: 'success' }
  // the first payment fails as it would have with the first card
  if (status === 'incomplete' || wantsAction(snapshot.payment)) return outcomeOf(snapshot)
  return { status: 'failed to pay outstanding invoices', reason: paymentRefusal.reason }
}

async function payNow(
  { stripe, ask }: LeasedRequest,
  { billing_intent_sid: key }: intents.Intent,
  invoice: string,
) {
  try {
    await ask(() => stripe.invoices.pay(invoice, {}, { idempotencyKey: `${key}-pay` }))
    return undefined
  } catch (e) {
    if (errorCode(e) === 'invoice_already_paid') return undefined
    const refused = refusedCard(e)
    if (!refused) throw e
    return { reason: refused.reason || CARD_REFUSED }
  }
}

/** Detaches all cards but the default one. A card that cannot be detached is only logged. */
async function forgetOthers({ ctx, stripe, ask }: LeasedRequest, customer: string) {
  try {
    const { card } = await ask(() => fetchSnapshot(stripe, ctx.db, customer))
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })
    for (const { id } of data)
      if (card && id !== card.payment_method_id) await ask(() => stripe.paymentMethods.detach(id))
  } catch (e) {
    if (refusedCard(e)) throw e
    const type = errorText(e, 'type')
    if (!type) throw e
    ctx.log.warn({ type, code: errorCode(e) }, 'old card could not be detached')
  }
}
