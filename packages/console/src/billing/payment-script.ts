import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState } from 'react'
import { config } from '../lib/config'

const SOURCE = 'https://js.stripe.com/'
/** Where packets are dropped a script neither loads nor fails. */
const PATIENCE = 10_000

// it stays in the page when its screen is left, and would go on watching there
loadStripe.setLoadParameters({ advancedFraudSignals: false })

const ours = (it: unknown): it is HTMLScriptElement =>
  it instanceof HTMLScriptElement && it.src.startsWith(SOURCE)

/** The library asks for it twice, but would wait for the one that has failed already. */
const drop = (e: Event) => ours(e.target) && e.target.remove()

/** Rejects when it cannot be had. */
export async function loadPayments() {
  const key = config.STRIPE_PUBLISHABLE_KEY
  if (!key) return undefined
  const giveUp = setInterval(() => {
    for (const script of document.scripts)
      if (ours(script)) script.dispatchEvent(new Event('error'))
  }, PATIENCE)
  addEventListener('error', drop, true)
  try {
    return (await loadStripe(key)) ?? undefined
  } finally {
    clearInterval(giveUp)
    removeEventListener('error', drop, true)
  }
}
type Stripe = NonNullable<Awaited<ReturnType<typeof loadPayments>>>

/** The payment provider's script: the one thing that comes from elsewhere, only where somebody pays. */
export type PaymentScript =
  | { state: 'loading' }
  | { state: 'failed'; retry: () => void }
  | { state: 'ready'; stripe: Stripe }

/** Asked for once it is `wanted`. */
export function usePaymentScript(wanted: boolean): PaymentScript {
  const [script, setScript] = useState<Stripe | 'failed'>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another reason to load it
  useEffect(() => {
    if (!wanted) return
    let gone = false
    loadPayments().then(
      (stripe) => !gone && setScript(stripe ?? 'failed'),
      () => !gone && setScript('failed'),
    )
    return () => {
      gone = true
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
