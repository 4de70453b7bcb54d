import { OUTCOME_UNKNOWN, PROVIDER_UNREACHABLE } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import { Failure } from '../http/failure.ts'

type Thrown = Partial<InstanceType<typeof Stripe.errors.StripeError>>

/** The reason when the card was declined, in words for the user; undefined for other errors. */
export function refusedCard(e: unknown): { reason: string; code: string | undefined } | undefined {
  const { type, message, code } = e as Thrown
  return type === 'StripeCardError' ? { reason: message ?? '', code } : undefined
}

/** Whether Stripe read the request and refused it, so that certainly nothing was done. */
export const isRefusal = (e: unknown) =>
  ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError'].includes(
    String((e as Thrown).type),
  )

/** Whether Stripe does not have the object, or no longer. */
export const isMissing = (e: unknown) => (e as Thrown).code === 'resource_missing'

const isTheirs = (e: unknown) => String((e as Thrown).type ?? '').startsWith('Stripe')

/**
 * Turns a Stripe error into a failure; other errors are returned as they are. `charging`: whether money may
 * have moved. Stripe's message is only logged, since it names ids and keys.
 */
export function toFailure(log: FastifyBaseLogger, e: unknown, charging: boolean): unknown {
  if (!isTheirs(e)) return e
  const { type, code, message, requestId, param } = e as Thrown & { param?: string }
  log.error(
    { type, code, param, provider_request: requestId, said: message },
    'payment provider request failed',
  )
  if (type === 'StripeInvalidRequestError')
    return new Failure('invalid', 'The payment provider rejected this request.')
  if (isRefusal(e)) return new Failure('unavailable', PROVIDER_UNREACHABLE)
  const sentence = charging ? OUTCOME_UNKNOWN : PROVIDER_UNREACHABLE
  return new Failure('unavailable', sentence, { retry_after: 60 })
}
