import { CARD_REFUSED, type SubscriptionOutcome } from '@switchroom/contract'
import { type StripeSnapshot, wantsAction } from './stripe-snapshot.ts'

/** The outcome of an open or finished payment, as the user sees it. */
export function outcomeOf(snapshot: StripeSnapshot): SubscriptionOutcome {
  const { subscription, invoice, payment, status } = snapshot
  const subscriptionPart = subscription && { subscription: subscription.id }
  if (invoice?.status === 'open' && payment) {
    const confirmation = { ...subscriptionPart, client_secret: payment.client_secret ?? '' }
    if (wantsAction(payment)) return { status: 'action required', ...confirmation }
    const reason = payment.last_payment_error?.message ?? CARD_REFUSED
    return { status: 'card error', reason, ...confirmation }
  }
  // without a payment the API has no better outcome, and another card may work
  if (status !== 'paid') return { status: 'card error', reason: CARD_REFUSED, ...subscriptionPart }
  const charge = payment?.latest_charge
  const descriptor =
    typeof charge === 'object' ? charge?.calculated_statement_descriptor : undefined
  return {
    status: 'success',
    ...subscriptionPart,
    ...(invoice && { chargedAmount: invoice.amount_paid, currency: invoice.currency }),
    ...(descriptor && { statementDescriptor: descriptor }),
  }
}
