import {
  CAPACITY_NOT_GRANTED,
  CARD_REFUSED,
  type SubscriptionChange,
  type SubscriptionOutcome,
  subscriptions,
  users,
} from '@switchroom/contract'
import { useRef, useState } from 'react'
import { query, queryClient, send } from '../../lib/api'
import { messageOf } from '../../lib/failure'
import { CardRefused } from './card-refused'
import { loadPayments } from './payment-script'
import { isSettled } from './plan'

const INVOICES_OPEN =
  'Your new card is saved, but an invoice that is still open could not be paid with it. Please try another card.'
const NOT_TOLD_YET =
  'Your payment is confirmed, but the payment provider has not told this server yet. Your plan changes as soon as it does: look again in a minute, and do not pay a second time.'
const NO_SCRIPT =
  'Your bank asks you to confirm this payment, and its question could not be loaded from js.stripe.com. Nothing has been charged yet. Check that no content blocker or firewall keeps it out, and try again.'

/** Resolves to what became of it. */
export const change = async (body: Omit<SubscriptionChange, 'dry_run'>) =>
  (await send(subscriptions.change, { body })) as SubscriptionOutcome

/** The provider tells the server by itself, a moment after it has told the browser. */
async function heardByServer() {
  for (let tries = 0; tries < 20; tries++) {
    const me = await queryClient.fetchQuery({ ...query(users.me, {}), staleTime: 0 })
    if (isSettled(me)) return
    await new Promise((r) => setTimeout(r, 1_000))
  }
  throw new CardRefused(NOT_TOLD_YET)
}

function said(outcome: SubscriptionOutcome): string {
  if (outcome.status === 'failed') return CAPACITY_NOT_GRANTED
  if (outcome.status === 'failed to pay outstanding invoices') return INVOICES_OPEN
  return outcome.reason || CARD_REFUSED
}

/**
 * One change of what is paid, from the first click to its end: at a time there is one, it goes on over the
 * bank's question, and whatever comes of it, what is on screen afterwards is what the server says.
 */
export function usePayment(onDone: () => void) {
  const [state, setState] = useState<'idle' | 'busy' | 'asked'>('idle')
  const [problem, setProblem] = useState<string>()
  const [ordered, setOrdered] = useState(false)
  const running = useRef(false)

  async function confirm(clientSecret: string | undefined) {
    const stripe = await loadPayments().catch(() => undefined)
    if (!stripe || !clientSecret) throw new CardRefused(NO_SCRIPT)
    setState('asked')
    // it may be answered already, in another tab or before this page was opened anew
    const known = await stripe.retrievePaymentIntent(clientSecret)
    const { error, paymentIntent } =
      known.paymentIntent?.status === 'requires_action'
        ? await stripe.handleNextAction({ clientSecret })
        : known
    setState('busy')
    if (error) throw new CardRefused(error.message)
    if (paymentIntent?.status === 'requires_payment_method')
      throw new CardRefused(paymentIntent.last_payment_error?.message)
    await heardByServer()
  }
  /** `work` is asked for once, however often the button is clicked meanwhile. */
  async function run(work: () => Promise<SubscriptionOutcome>) {
    if (running.current) return
    running.current = true
    setState('busy')
    setProblem(undefined)
    try {
      const outcome = await work()
      if (outcome.subscription && outcome.status !== 'success') setOrdered(true)
      if (outcome.status === 'action required') await confirm(outcome.client_secret)
      else if (outcome.status !== 'success') throw new CardRefused(said(outcome))
      onDone()
    } catch (e) {
      setProblem(e instanceof CardRefused ? e.message : messageOf(e))
    } finally {
      running.current = false
      setState('idle')
      void queryClient.invalidateQueries()
    }
  }
  return { run, state, problem, ordered }
}
