import { setTimeout } from 'node:timers/promises'
import { STILL_PROCESSING } from '@switchroom/contract'
import type Stripe from 'stripe'
import { type Actor, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import type { BillingAction } from '../db/own/billing.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { Failure } from '../http/failure.ts'
import { applySnapshot } from './apply-snapshot.ts'
import * as intents from './intents.ts'
import { isRefusal, refusedCard, toFailure } from './payment-failure.ts'
import * as periods from './periods.ts'
import { reconcileLeased } from './reconcile.ts'
import { fetchSnapshot, type StripeSnapshot } from './stripe-snapshot.ts'

export type Account = {
  account_sid: string
  service_provider_sid: string
  name: string
  plan_type: string
  stripe_customer_id: string | null
}
export type BillingRequest = Actor & { ctx: Context; account: Account }

export type StripeRequest = BillingRequest & {
  stripe: Stripe
  /** Calls Stripe. With a lease, renews it first. */
  ask: <T>(call: () => Promise<T>) => Promise<T>
}

/** A request that holds the account's billing lease. */
export type LeasedRequest = StripeRequest & { lease: intents.Lease }

const LEASE_WAIT_MS = 5_000

const stillProcessing = () => new Failure('conflict', STILL_PROCESSING)

/**
 * Runs `work` with the account's billing lease. Stripe errors become failures; when a charge may have gone
 * through, the outcome is reconciled later.
 */
export async function withLease<T>(
  request: BillingRequest,
  work: (leased: LeasedRequest) => Promise<T>,
): Promise<T> {
  const { ctx } = request
  const stripe = await ctx.payments!.client()
  const lease = await waitForLease(request)
  const since = Date.now()
  const ask = async <R>(call: () => Promise<R>) => {
    await intents.renewLease(ctx.db, lease)
    return call()
  }
  try {
    return await work({ ...request, stripe, lease, ask })
  } catch (e) {
    const failure = await failureOf(request, lease, since, e).catch((lost: unknown) => lost)
    throw failure instanceof intents.LeaseLost ? stillProcessing() : failure
  } finally {
    await intents.releaseLease(ctx.db, lease)
  }
}

/** Reconciling holds a lease only for a moment, so a user's request waits for it. */
async function waitForLease({ ctx, account }: BillingRequest) {
  const until = performance.now() + LEASE_WAIT_MS
  for (;;) {
    const lease = await intents.takeLease(ctx.db, account.account_sid)
    if (lease) return lease
    if (performance.now() > until) throw stillProcessing()
    await setTimeout(200)
  }
}

/** Runs `work` without a lease, for requests that change nothing. Stripe errors become failures. */
export async function withStripe<T>(
  request: BillingRequest,
  work: (request: StripeRequest) => Promise<T>,
): Promise<T> {
  try {
    const stripe = await request.ctx.payments!.client()
    return await work({ ...request, stripe, ask: (call) => call() })
  } catch (e) {
    throw toFailure(request.ctx.log, e, false)
  }
}

/**
 * Turns a Stripe error into a failure. Fails intents that certainly did nothing, and schedules a reconcile
 * for the others.
 */
async function failureOf(
  { ctx, account }: BillingRequest,
  lease: intents.Lease,
  since: number,
  e: unknown,
) {
  const failure = toFailure(ctx.log, e, false)
  if (failure === e) return e
  // a process that took over knows the outcome better
  await intents.renewLease(ctx.db, lease)
  const open = await intents.openIntents(ctx.db, account.account_sid)
  const charging = open.some((i) => i.status === 'asked' && i.action !== 'customer')
  // an older intent has an unknown outcome of its own
  const own = open.filter((i) => i.created_at >= since)
  if (isRefusal(e) || refusedCard(e)) await failIntents(ctx.db, own)
  else if (charging) {
    await intents.reconcileAfter(ctx.db, lease.account_sid, 5_000)
    return toFailure(ctx.log, e, true)
  }
  return failure
}

export async function failIntents(db: Db, open: intents.Intent[]) {
  for (const intent of open) {
    await intents.mark(db, intent, { status: 'failed' })
    if (intent.account_subscription_sid)
      await periods.endPeriods(db, [intent.account_subscription_sid], 'payment failed')
  }
}

/** An intent's request without members that may differ in a retry. */
const comparable = ({ proration_date: _, ...request }: intents.IntentRequest) =>
  JSON.stringify(request)

/**
 * Finds the unfinished intent for the same request, which continues under the same idempotency key.
 * Reconciles any other one first; throws 409 while that cannot be done.
 */
export async function findUnfinished(
  leased: LeasedRequest,
  action: BillingAction,
  request: intents.IntentRequest,
) {
  const { ctx, lease, account } = leased
  const open = async () =>
    (await intents.openIntents(ctx.db, account.account_sid)).filter((i) => i.action !== 'customer')
  const before = await open()
  if (before.length === 0) return undefined
  const same = before.find(
    (i) =>
      i.status === 'asked' &&
      i.action === action &&
      comparable(intents.requestOf(i)) === comparable(request),
  )
  if (same) return same
  await reconcileLeased(ctx, lease, Date.now())
  if ((await open()).length > 0) throw stillProcessing()
  return undefined
}

/** Records an intent in one transaction with its audit entry and, with `waiting`, a pending period. */
export function recordIntent(
  { ctx, account, ...actor }: BillingRequest,
  action: BillingAction,
  request: intents.IntentRequest,
  more: { customer?: string; waiting?: StripeSnapshot['capacity'] } = {},
): Promise<intents.Intent> {
  const { account_sid, service_provider_sid, name, plan_type } = account
  const write = async (tx: Db) => {
    const account_subscription_sid =
      more.waiting && (await periods.beginPeriod(tx, { account_sid, pending: 1 }, more.waiting))
    const intent = await intents.insert(tx, {
      account_sid,
      action,
      request,
      ...(more.customer && { stripe_customer_id: more.customer }),
      ...(account_subscription_sid && { account_subscription_sid }),
    })
    const before = { plan_type }
    const after = { asked_for: action, ...(request.prices && { products: request.prices }) }
    const kind = 'subscription' as const
    const entry = { action: 'update' as const, kind, sid: account_sid, name, before, after }
    await record(tx, actor, [{ ...entry, account_sid, service_provider_sid }])
    return intent
  }
  return transaction(ctx.db, write)
}

/** Call before the request that may charge money. */
export const markSent = ({ ctx }: BillingRequest, intent: intents.Intent) =>
  intents.mark(ctx.db, intent, { status: 'asked', asked_at: Date.now() })

/** Fetches a snapshot, applies it, and marks the intent as done. */
export async function finishIntent(
  { ctx, stripe, account, ask }: LeasedRequest,
  customer: string,
  intent?: intents.Intent,
): Promise<StripeSnapshot> {
  const snapshot = await ask(() => fetchSnapshot(stripe, ctx.db, customer))
  await applySnapshot(ctx, account.account_sid, snapshot, Date.now(), async (tx) => {
    if (intent) await intents.mark(tx, intent, { status: 'done' })
  })
  return snapshot
}
