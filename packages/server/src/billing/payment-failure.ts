import { OUTCOME_UNKNOWN, PROVIDER_UNREACHABLE, t } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorCode, errorText } from '../errors/members.ts'
import { Failure } from '../http/failure.ts'

/** The reason when the card was declined, in words for the user; undefined for other errors. */
export function refusedCard(e: unknown): { reason: string; code: string | undefined } | undefined {
  return errorText(e, 'type') === 'StripeCardError'
    ? { reason: errorText(e, 'message') ?? '', code: errorCode(e) }
    : undefined
}

/** True if Stripe read the request and refused it, so that certainly nothing was done. */
export const isRefusal = (e: unknown) =>
  ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError'].includes(
    String(errorText(e, 'type')),
  )

/** True if Stripe does not have the object, or no longer has it. */
export const isMissing = (e: unknown) => errorCode(e) === 'resource_missing'

const isStripeError = (e: unknown) => errorText(e, 'type')?.startsWith('Stripe') ?? false

/**
 * Turns a Stripe error into a failure; other errors are returned as they are. `charging`: whether money may
 * have moved. Stripe's message is only logged, since it names ids and keys.
 */
export function toFailure(log: FastifyBaseLogger, e: unknown, charging: boolean): unknown {
  if (!isStripeError(e)) return e
  const type = errorText(e, 'type')
  log.error(
    {
      type,
      code: errorCode(e),
      param: errorText(e, 'param'),
      provider_request: errorText(e, 'requestId'),
      said: errorText(e, 'message'),
    },
    'payment provider request failed',
  )
  if (type === 'StripeInvalidRequestError')
    return new Failure('invalid', t('The payment provider rejected this request.'))
  if (isRefusal(e)) return new Failure('unavailable', PROVIDER_UNREACHABLE)
  const sentence = charging ? OUTCOME_UNKNOWN : PROVIDER_UNREACHABLE
  return new Failure('unavailable', sentence, { retry_after: 60 })
}
