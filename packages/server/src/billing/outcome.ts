import type { SubscriptionOutcome } from '@switchroom/contract'
import { CARD_REFUSED } from '@switchroom/contract'
import { type StripeSnapshot, wantsAction } from './stripe-snapshot.ts'

/** The outcome of an open or finished payment, as the user sees it. */
export function outcomeOf(snapshot: StripeSnapshot): SubscriptionOutcome {
  const { subscription, invoice, payment, status } = snapshot
  const id = subscription && { subscription: subscription.id }
  if (invoice?.status === 'open' && payment) {
    const secret = { ...id, client_secret: payment.client_secret ?? '' }
    if (wantsAction(payment)) return { status: 'action required', ...secret }
    const reason = payment.last_payment_error?.message ?? CARD_REFUSED
    return { status: 'card error', reason, ...secret }
  }
  if (status !== 'paid') return { status: 'card error', reason: CARD_REFUSED, ...id }
  const charge = payment?.latest_charge
  const descriptor =
    typeof charge === 'object' ? charge?.calculated_statement_descriptor : undefined
  return {
    status: 'success',
    ...id,
    ...(invoice && { chargedAmount: invoice.amount_paid, currency: invoice.currency }),
    ...(descriptor && { statementDescriptor: descriptor }),
  }
}
