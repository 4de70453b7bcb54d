import type Stripe from 'stripe'

/**
 * Time limit of one attempt. There are two attempts while a page waits. With Stripe's longest requested pause in
 * between, a call must stay below UNDER_WAY_MS in billing/reconcile.ts, or a payment reported as failed could still go
 * through.
 */
const TIMEOUT_MS = 10_000
const RETRIES = 1

export type StripeOptions = { key: string; webhook_secret: string; url: string }

export type Payments = {
  /** The Stripe client, loaded on first use because it is large. */
  client: () => Promise<Stripe>
  webhook_secret: string
}

/** Undefined when no payment provider is configured. */
export function openPayments(stripe: StripeOptions | undefined): Payments | undefined {
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
