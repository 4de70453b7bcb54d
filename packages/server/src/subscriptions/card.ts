import type { SubscriptionOutcome } from '@switchroom/contract'
import { CARD_REFUSED, TOO_MANY_CARDS } from '@switchroom/contract'
import { Failure } from '../http/failure.ts'
import { asked, finished, giveUp, type Held, noted, unfinished } from './held.ts'
import * as intents from './intents.ts'
import { outcomeOf } from './outcome.ts'
import { refusedCard } from './stripe.ts'
import { lookUp, wantsAction } from './truth.ts'
import type { Body } from './upgrade.ts'

const HOUR_MS = 3_600_000
const CARDS_AN_HOUR = 20

/** Nobody finds out here which of many stolen cards are good. */
export async function refuseTooMany({ ctx, account }: Held) {
  const tries = await intents.cardsSince(ctx.db, account.account_sid, Date.now() - HOUR_MS)
  if (Number(tries) >= CARDS_AN_HOUR)
    throw new Failure('too_many', TOO_MANY_CARDS, { retry_after: HOUR_MS / 1000 })
}

/** Makes it the card that is charged. Resolves to a refusal where the bank does not like it. */
export async function keepCard(
  { stripe, ask }: Held,
  { billing_intent_sid: key }: intents.Intent,
  customer: string,
  payment_method_id: string,
): Promise<SubscriptionOutcome | undefined> {
  try {
    // the provider gives those for trying things out another id
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

/** Another card, with which an invoice that is still open is paid at once. */
export async function changeCard(held: Held, body: Body): Promise<SubscriptionOutcome> {
  const { ctx, stripe, account, ask } = held
  const customer = account.stripe_customer_id
  if (!customer)
    throw new Failure('invalid', `Account ${account.account_sid} is not provisioned in Stripe`)
  const payment_method_id = body.payment_method_id!
  const wish = { payment_method_id }
  const known = await unfinished(held, 'update-payment-method', wish)
  if (!known) await refuseTooMany(held)
  const intent = known ?? (await noted(held, 'update-payment-method', wish, { customer }))
  const refused = await keepCard(held, intent, customer, payment_method_id)
  if (refused) {
    await giveUp(ctx.db, [intent])
    return refused
  }
  const { invoice, standing } = await ask(() => lookUp(stripe, ctx.db, customer))
  await asked(held, intent)
  const unpaid = invoice?.status === 'open' ? await payNow(held, intent, invoice.id!) : undefined
  await forgetOthers(held, customer)
  const truth = await finished(held, customer, intent)
  if (!unpaid) return { status: 'success' }
  // a first payment has failed as it would have with the first card
  if (standing === 'incomplete' || wantsAction(truth.payment)) return outcomeOf(truth)
  return { status: 'failed to pay outstanding invoices', reason: unpaid.reason }
}

async function payNow(
  { stripe, ask }: Held,
  { billing_intent_sid: key }: intents.Intent,
  invoice: string,
) {
  try {
    await ask(() => stripe.invoices.pay(invoice, {}, { idempotencyKey: `${key}-pay` }))
    return undefined
  } catch (e) {
    if ((e as { code?: string }).code === 'invoice_already_paid') return undefined
    const refused = refusedCard(e)
    if (!refused) throw e
    return { reason: refused.reason || CARD_REFUSED }
  }
}

/** One card at a time is kept. That an old one stays does no harm. */
async function forgetOthers({ ctx, stripe, ask }: Held, customer: string) {
  try {
    const { card } = await ask(() => lookUp(stripe, ctx.db, customer))
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card', limit: 100 })
    for (const { id } of data)
      if (card && id !== card.payment_method_id) await ask(() => stripe.paymentMethods.detach(id))
  } catch (e) {
    if (refusedCard(e)) throw e
    const { type, code } = e as { type?: string; code?: string }
    if (!type) throw e
    ctx.log.warn({ type, code }, 'an old card stays at the payment provider')
  }
}
