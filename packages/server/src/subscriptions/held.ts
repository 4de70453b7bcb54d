import { setTimeout } from 'node:timers/promises'
import { STILL_PROCESSING } from '@switchroom/contract'
import type Stripe from 'stripe'
import { record, type Who } from '../changes/record.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import type { BillingAction } from '../db/own.ts'
import { Failure } from '../http/failure.ts'
import { apply } from './apply.ts'
import * as intents from './intents.ts'
import * as periods from './periods.ts'
import { settleHeld } from './settle.ts'
import { isRefusal, refusedCard, toFailure } from './stripe.ts'
import { lookUp, type Truth } from './truth.ts'

export type Account = {
  account_sid: string
  service_provider_sid: string
  name: string
  plan_type: string
  stripe_customer_id: string | null
}
export type Asking = Who & { ctx: Context; account: Account }

export type Looked = Asking & {
  stripe: Stripe
  /** A call of the provider; while the subscription is still in this hand, where it is in one. */
  ask: <T>(call: () => Promise<T>) => Promise<T>
}

/** A subscription in one hand. */
export type Held = Looked & { lease: intents.Lease }

const PATIENCE_MS = 5_000

const stillProcessing = () => new Failure('conflict', STILL_PROCESSING)

/**
 * Does a piece of work with a subscription in hand. What went wrong at the provider becomes a refusal; of
 * what may have been done all the same, the outcome is found out later.
 */
export async function holding<T>(asking: Asking, work: (held: Held) => Promise<T>): Promise<T> {
  const { ctx } = asking
  const stripe = await ctx.payments!.client()
  const lease = await takeSoon(asking)
  const since = Date.now()
  const ask = async <R>(call: () => Promise<R>) => {
    await intents.renew(ctx.db, lease)
    return call()
  }
  try {
    return await work({ ...asking, stripe, lease, ask })
  } catch (e) {
    const told = await explained(asking, lease, since, e).catch((lost: unknown) => lost)
    throw told instanceof intents.LeaseLost ? stillProcessing() : told
  } finally {
    await intents.release(ctx.db, lease)
  }
}

/** Whoever only looks after an account has done so in a moment, and a person need not hear of it. */
async function takeSoon({ ctx, account }: Asking) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const lease = await intents.take(ctx.db, account.account_sid, Date.now())
    if (lease) return lease
    if (Date.now() > until) throw stillProcessing()
    await setTimeout(200)
  }
}

/** The same without taking it in hand, for what changes nothing. */
export async function looking<T>(asking: Asking, work: (looked: Looked) => Promise<T>): Promise<T> {
  try {
    const stripe = await asking.ctx.payments!.client()
    return await work({ ...asking, stripe, ask: (call) => call() })
  } catch (e) {
    throw toFailure(asking.ctx.log, e, false)
  }
}

/** Gives up what was noted where it is known that nothing was done, and has the rest looked at soon. */
async function explained(
  { ctx, account }: Asking,
  lease: intents.Lease,
  since: number,
  e: unknown,
) {
  const failure = toFailure(ctx.log, e, false)
  if (failure === e) return e
  // whoever has taken over knows better what became of it
  await intents.renew(ctx.db, lease)
  const open = await intents.open(ctx.db, account.account_sid)
  const charging = open.some((i) => i.status === 'asked' && i.action !== 'customer')
  // an older wish is another matter: it is not known what became of that
  const own = open.filter((i) => i.created_at >= since)
  if (isRefusal(e) || refusedCard(e)) await giveUp(ctx.db, own)
  else if (charging) {
    await intents.lookAt(ctx.db, lease.account_sid, Date.now() + 5_000)
    return toFailure(ctx.log, e, true)
  }
  return failure
}

export async function giveUp(db: Db, open: intents.Intent[]) {
  for (const intent of open) {
    await intents.mark(db, intent, { status: 'failed' })
    if (intent.account_subscription_sid)
      await periods.end(db, [intent.account_subscription_sid], 'payment failed')
  }
}

/** Without what a retry may say otherwise. */
const gist = ({ proration_date: _, ...wish }: intents.Wish) => JSON.stringify(wish)

/**
 * The same wish, whose outcome is not known: it goes on under the same idempotency key. Any other is found
 * out about first; while that cannot be, nothing else is begun.
 */
export async function unfinished(held: Held, action: BillingAction, wish: intents.Wish) {
  const { ctx, lease, account } = held
  const open = async () =>
    (await intents.open(ctx.db, account.account_sid)).filter((i) => i.action !== 'customer')
  const before = await open()
  if (before.length === 0) return undefined
  const same = before.find(
    (i) => i.status === 'asked' && i.action === action && gist(intents.wishOf(i)) === gist(wish),
  )
  if (same) return same
  await settleHeld(ctx, lease, Date.now())
  if ((await open()).length > 0) throw stillProcessing()
  return undefined
}

/** Notes the wish, with an entry in the audit log, in one transaction; and a period that waits for a payment. */
export function noted(
  { ctx, account, ...who }: Asking,
  action: BillingAction,
  wish: intents.Wish,
  more: { customer?: string; waiting?: Truth['capacity'] } = {},
): Promise<intents.Intent> {
  const { account_sid, service_provider_sid, name, plan_type } = account
  const write = async (tx: Db) => {
    const account_subscription_sid =
      more.waiting && (await periods.begin(tx, { account_sid, pending: 1 }, more.waiting))
    const intent = await intents.note(tx, {
      account_sid,
      action,
      wish,
      ...(more.customer && { stripe_customer_id: more.customer }),
      ...(account_subscription_sid && { account_subscription_sid }),
    })
    const before = { plan_type }
    const after = { asked_for: action, ...(wish.prices && { products: wish.prices }) }
    const kind = 'subscription' as const
    const entry = { action: 'update' as const, kind, sid: account_sid, name, before, after }
    await record(tx, who, [{ ...entry, account_sid, service_provider_sid }])
    return intent
  }
  return ctx.db.transaction().execute(write)
}

/** From here on money may move. */
export const asked = ({ ctx }: Asking, intent: intents.Intent) =>
  intents.mark(ctx.db, intent, { status: 'asked', asked_at: Date.now() })

/** What is true now, in our tables as well; the intent is done with that. */
export async function finished(
  { ctx, stripe, account, ask }: Held,
  customer: string,
  intent?: intents.Intent,
): Promise<Truth> {
  const truth = await ask(() => lookUp(stripe, ctx.db, customer))
  await apply(ctx, account.account_sid, truth, Date.now(), async (tx) => {
    if (intent) await intents.mark(tx, intent, { status: 'done' })
  })
  return truth
}
