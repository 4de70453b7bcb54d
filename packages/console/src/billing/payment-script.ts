import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState } from 'react'
import { config } from '../lib/config'

const SOURCE = 'https://js.stripe.com/'
/** Limit in milliseconds: if a firewall drops packets, a script neither loads nor fails. */
const LOAD_TIMEOUT_MS = 10_000

// the script stays in the page after its screen is left, and would keep reporting
loadStripe.setLoadParameters({ advancedFraudSignals: false })

const isStripeScript = (it: unknown): it is HTMLScriptElement =>
  it instanceof HTMLScriptElement && it.src.startsWith(SOURCE)

/** On a second call the library would wait for the script element that has already failed. */
const removeFailedScript = (e: Event) => isStripeScript(e.target) && e.target.remove()

/** Rejects if it cannot be loaded. */
export async function loadPayments() {
  const key = config.STRIPE_PUBLISHABLE_KEY
  if (!key) return undefined
  const giveUp = setInterval(() => {
    for (const script of document.scripts)
      if (isStripeScript(script)) script.dispatchEvent(new Event('error'))
  }, LOAD_TIMEOUT_MS)
  addEventListener('error', removeFailedScript, true)
  try {
    return (await loadStripe(key)) ?? undefined
  } finally {
    clearInterval(giveUp)
    removeEventListener('error', removeFailedScript, true)
  }
}
type Stripe = NonNullable<Awaited<ReturnType<typeof loadPayments>>>

/** Stripe's script: the only third-party resource, loaded only on payment screens. */
export type PaymentScript =
  | { state: 'loading' }
  | { state: 'failed'; retry: () => void }
  | { state: 'ready'; stripe: Stripe }

/** Loads the script once it is `wanted`. */
export function usePaymentScript(wanted: boolean): PaymentScript {
  const [script, setScript] = useState<Stripe | 'failed'>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another reason to load it
  useEffect(() => {
    if (!wanted) return
    let unmounted = false
    loadPayments().then(
      (stripe) => !unmounted && setScript(stripe ?? 'failed'),
      () => !unmounted && setScript('failed'),
    )
    return () => {
      unmounted = true
    }
  }, [wanted, tries])

  if (!script) return { state: 'loading' }
  if (script !== 'failed') return { state: 'ready', stripe: script }
  const retry = () => {
    setScript(undefined)
    setTries((n) => n + 1)
  }
  return { state: 'failed', retry }
}
