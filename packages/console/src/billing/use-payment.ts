import {
  CAPACITY_NOT_GRANTED,
  CARD_REFUSED,
  type CapacityIn,
  type CapacityPreview,
  GENERIC_ERROR,
  type SubscriptionChange,
  type SubscriptionOutcome,
  t,
} from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../lib/access'
import { query, queryClient, send } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { subscriptions, users } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { CardRefused } from './card-refused'
import { loadPayments } from './payment-script'
import { isPaidUp } from './plan'
import type { Plan } from './sentence'

const INVOICES_OPEN = t(
  'Your new card is saved, but it could not pay an open invoice. Please try another card.',
)
const NOT_CONFIRMED_YET = t(
  'Your payment is confirmed, but this server has not heard from the payment provider yet. Your plan changes as soon as it does. Check again in a minute, and do not pay twice.',
)
const STRIPE_NOT_LOADED = t(
  'Your bank asks you to confirm this payment, but the confirmation could not be loaded from js.stripe.com. You have not been charged yet. Check that no content blocker or firewall blocks it, then try again.',
)

/** Changes the subscription and resolves to the outcome. */
export async function changeSubscription(
  body: Omit<SubscriptionChange, 'dry_run'>,
): Promise<SubscriptionOutcome> {
  const reply = await send(subscriptions.change, { body })
  if ('status' in reply) return reply
  throw new Error(GENERIC_ERROR)
}

/** Resolves to the server's quote. */
export async function previewChange(products: CapacityIn[]): Promise<CapacityPreview> {
  const body = { action: 'update-quantities', dry_run: true, products } as const
  const reply = await send(subscriptions.change, { body })
  if ('status' in reply) throw new Error(GENERIC_ERROR)
  return reply
}

/** Finishes a payment that was left open. */
const finishOpenPayment = async () =>
  (await capabilities()) ? changeSubscription({ action: 'finish-payment' }) : undefined

/** Stripe has confirmed to the browser; waits until the server knows as well, by asking Stripe or by webhook. */
async function untilServerKnows() {
  for (let tries = 0; tries < 15; tries++) {
    const outcome = await finishOpenPayment().catch(() => undefined)
    if (outcome?.status === 'success') return
    const me = await queryClient.fetchQuery({ ...query(users.me, {}), staleTime: 0 })
    if (isPaidUp(me)) return
    await new Promise((r) => setTimeout(r, 1_000))
  }
  throw new CardRefused(NOT_CONFIRMED_YET)
}

async function confirm(clientSecret: string | undefined) {
  const stripe = await loadPayments().catch(() => undefined)
  if (!stripe || !clientSecret) throw new CardRefused(STRIPE_NOT_LOADED)
  // it may be confirmed already, in another tab or before a reload
  const intent = await stripe.retrievePaymentIntent(clientSecret)
  const { error, paymentIntent } =
    intent.paymentIntent?.status === 'requires_action'
      ? await stripe.handleNextAction({ clientSecret })
      : intent
  if (error) throw new PaymentRefused(error.message)
  if (paymentIntent?.status === 'requires_payment_method')
    throw new PaymentRefused(paymentIntent.last_payment_error?.message)
}

/** A payment refused by the bank or the payment provider. */
class PaymentRefused extends CardRefused {}

function failureText({ status, reason }: SubscriptionOutcome): string {
  if (status === 'failed to pay outstanding invoices') return INVOICES_OPEN
  return reason || CARD_REFUSED
}

/**
 * One payment from click to completion, including 3-D Secure. Only one runs at a time, and afterwards the
 * screen shows what the server says.
 */
export function usePayment(
  plan: Plan,
  onDone: () => void,
  /** True if a paid plan's capacity changes: the specification words the refusal of that payment. */
  { ofCapacity = false } = {},
) {
  const [state, setState] = useState<'idle' | 'busy' | 'confirming'>('idle')
  const [problem, setProblem] = useState<string>()
  const [ordered, setOrdered] = useState(false)
  const [secret, setSecret] = useState<string>()
  const running = useRef(false)

  // a payment left open in another tab, or when the browser was closed
  const leftOpen = useRef(!!plan.problem && mayWrite())
  useEffect(() => {
    if (!leftOpen.current) return
    leftOpen.current = false
    finishOpenPayment()
      .then((outcome) => {
        if (outcome?.status === 'action required') setSecret(outcome.client_secret)
        return queryClient.invalidateQueries({ queryKey: [users.me.path] })
      })
      .catch(() => undefined) // the screen keeps what it shows
  }, [])

  /** `work` runs once, however often the button is clicked. */
  async function run(work: () => Promise<SubscriptionOutcome>) {
    if (running.current) return
    running.current = true
    setState('busy')
    setProblem(undefined)
    setSecret(undefined)
    try {
      const outcome = await work()
      if (outcome.subscription && outcome.status !== 'success') setOrdered(true)
      if (outcome.status === 'action required') {
        setState('confirming')
        await confirm(outcome.client_secret)
        setState('busy')
        await untilServerKnows()
      } else if (outcome.status !== 'success') throw new PaymentRefused(failureText(outcome))
      onDone()
    } catch (e) {
      const isRefused = e instanceof PaymentRefused
      if (isRefused && ofCapacity) setProblem(CAPACITY_NOT_GRANTED)
      else setProblem(e instanceof CardRefused ? e.message : messageOf(e))
    } finally {
      running.current = false
      setState('idle')
      void queryClient.invalidateQueries()
    }
  }
  const resume = secret
    ? () => void run(async () => ({ status: 'action required', client_secret: secret }))
    : undefined
  return { run, state, problem, ordered, resume }
}
