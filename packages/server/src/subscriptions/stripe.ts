import { OUTCOME_UNKNOWN, PROVIDER_UNREACHABLE } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import { Failure } from '../http/failure.ts'

/**
 * Of one try; a page waits for both of them. Between them the provider may ask for a minute's pause: a call
 * lasts less than UNDER_WAY_MS in settle.ts, or somebody would be charged who has been told otherwise.
 */
const TIMEOUT_MS = 10_000
const RETRIES = 1

export type Payments = {
  /** The provider's own client. Loaded with the first call: it is large. */
  client: () => Promise<Stripe>
  webhook_secret: string
}

/** Undefined where no payment provider is set up. */
export function openPayments({ stripe }: Pick<Config, 'stripe'>): Payments | undefined {
  if (!stripe) return undefined
  const { protocol, hostname, port } = new URL(stripe.url)
  let client: Promise<Stripe> | undefined
  const load = async () => {
    const { default: Client } = await import('stripe')
    return new Client(stripe.key, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port && { port }),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    })
  }
  return {
    client() {
      client ??= load()
      return client
    },
    webhook_secret: stripe.webhook_secret,
  }
}

type Thrown = Partial<InstanceType<typeof Stripe.errors.StripeError>>

/** The card was refused, in words for the person. */
export function refusedCard(e: unknown): { reason: string; code: string | undefined } | undefined {
  const { type, message, code } = e as Thrown
  return type === 'StripeCardError' ? { reason: message ?? '', code } : undefined
}

/** Whether it is known that nothing was done: the provider has read the request and refused it. */
export const isRefusal = (e: unknown) =>
  ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError'].includes(
    String((e as Thrown).type),
  )

/** There is no such thing at the provider, or not any more. */
export const isMissing = (e: unknown) => (e as Thrown).code === 'resource_missing'

const isTheirs = (e: unknown) => String((e as Thrown).type ?? '').startsWith('Stripe')

/**
 * What a caller is told of a failed call; ours are thrown again. `charging`: whether money may have moved.
 * The provider's own words are for the log: they name ids and keys.
 */
export function toFailure(log: FastifyBaseLogger, e: unknown, charging: boolean): unknown {
  if (!isTheirs(e)) return e
  const { type, code, message, requestId, param } = e as Thrown & { param?: string }
  log.error({ type, code, param, provider_request: requestId, said: message }, 'payment provider')
  if (type === 'StripeInvalidRequestError')
    return new Failure('invalid', 'The payment provider does not accept this request.')
  if (isRefusal(e)) return new Failure('unavailable', PROVIDER_UNREACHABLE)
  const sentence = charging ? OUTCOME_UNKNOWN : PROVIDER_UNREACHABLE
  return new Failure('unavailable', sentence, { retry_after: 60 })
}
