import type { SubscriptionOutcome } from '@switchroom/contract'
import { Failure } from '../http/failure.ts'
import { finishIntent, type LeasedRequest } from './lease.ts'
import { outcomeOf } from './outcome.ts'

/** Fetches and stores the outcome of an open payment. Charges nothing. */
export async function finishPayment(leased: LeasedRequest): Promise<SubscriptionOutcome> {
  const customer = leased.account.stripe_customer_id
  if (!customer) throw new Failure('not_found', 'Not Found')
  return outcomeOf(await finishIntent(leased, customer))
}
