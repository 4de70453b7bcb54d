import type { SubscriptionOutcome } from '@switchroom/contract'
import { Failure } from '../http/failure.ts'
import { finished, type Held } from './held.ts'
import { outcomeOf } from './outcome.ts'

/** What became of a payment that was left open: asked of the provider, and noted. Nothing is paid by it. */
export async function finishPayment(held: Held): Promise<SubscriptionOutcome> {
  const customer = held.account.stripe_customer_id
  if (!customer) throw new Failure('not_found', 'Not Found')
  return outcomeOf(await finished(held, customer))
}
