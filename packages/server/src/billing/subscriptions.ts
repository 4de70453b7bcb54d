import { type api, PastInvoice, type SubscriptionOutcome, t } from '@switchroom/contract'
import type { Actor } from '../audit/record.ts'
import { errorCode } from '../errors/members.ts'
import type { Context } from '../http/context.ts'
import { Failure } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import { emailOf } from './billing-email.ts'
import { type Body, changeCard } from './card.ts'
import { catalogue } from './catalogue.ts'
import { customerOf } from './customer.ts'
import { downgrade, keepPaidPlan } from './downgrade.ts'
import {
  type Account,
  type BillingRequest,
  finishIntent,
  type LeasedRequest,
  withLease,
  withStripe,
} from './lease.ts'
import { outcomeOf } from './outcome.ts'
import { isMissing, toFailure } from './payment-failure.ts'
import * as periods from './periods.ts'
import { changeQuantities, previewQuantities } from './quantities.ts'
import { fetchSnapshot, statusOf } from './stripe-snapshot.ts'
import { upgrade } from './upgrade.ts'

type Request = Actor & { ctx: Context }

const notFound = () => new Failure('not_found', t('Not Found'))

const paymentsOf = ({ payments }: Context) => {
  if (!payments) throw new Failure('not_found', t('No payment provider is configured'))
  return payments
}

/** The caller's own account. Throws 404 for other roles: nobody subscribes for others. */
async function billingRequest({ ctx, scope, meta }: Request): Promise<BillingRequest> {
  paymentsOf(ctx)
  if (scope.role !== 'account') throw notFound()
  const account: Account | undefined = await ctx.db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid', 'name', 'plan_type', 'stripe_customer_id'])
    .where('account_sid', '=', scope.account_sid)
    .executeTakeFirst()
  if (!account) throw notFound()
  return { ctx, scope, meta, account }
}

/** Fetches and stores the outcome of an open payment. Charges nothing. */
async function finishPayment(leased: LeasedRequest): Promise<SubscriptionOutcome> {
  const customer = leased.account.stripe_customer_id
  if (!customer) throw new Failure('not_found', t('Not Found'))
  return outcomeOf(await finishIntent(leased, customer))
}

/** Runs a read-only Stripe call. Throws 404 for missing objects. */
async function readStripe<T>({ ctx }: Request, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    if (isMissing(e) || errorCode(e) === 'invoice_upcoming_none') throw notFound()
    throw toFailure(ctx.log, e, false)
  }
}

const ACTIONS: Record<
  Body['action'],
  (leased: LeasedRequest, body: Body) => ReturnType<typeof upgrade>
> = {
  'upgrade-to-paid': upgrade,
  'update-payment-method': changeCard,
  'update-quantities': changeQuantities,
  'downgrade-to-free': downgrade,
  'keep-paid-plan': keepPaidPlan,
  'finish-payment': finishPayment,
}

export const subscriptionRoutes: Handlers<typeof api.subscriptions> = {
  async prices(actor) {
    const { ctx, scope } = actor
    const payments = paymentsOf(ctx)
    const account = scope.role === 'account' ? scope.account_sid : undefined
    return readStripe(actor, async () => catalogue(await payments.client(), ctx.db, account))
  },

  async view(actor) {
    const { ctx, account } = await billingRequest(actor)
    const open = await periods.openPeriods(ctx.db, account.account_sid)
    const id = open.find((p) => p.stripe_subscription_id !== null)?.stripe_subscription_id
    if (!id) throw notFound()
    const stripe = await ctx.payments!.client()
    const found = await readStripe(actor, () =>
      stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }),
    )
    return { ...found }
  },

  async change({ body, ...actor }) {
    const request = await billingRequest(actor)
    if (body.action === 'update-quantities' && body.dry_run)
      return withStripe(request, (stripeRequest) => previewQuantities(stripeRequest, body))
    return withLease(request, (leased) => ACTIONS[body.action](leased, body))
  },

  async upcomingInvoice(actor) {
    const { ctx, account } = await billingRequest(actor)
    const customer = account.stripe_customer_id
    if (!customer) throw notFound()
    return readStripe(actor, async () => {
      const stripe = await ctx.payments!.client()
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
      const counts = (s: (typeof data)[number]) => ['paid', 'suspended'].includes(statusOf(s))
      const subscription = data.find(counts)
      if (!subscription) throw notFound()
      return {
        ...(await stripe.invoices.createPreview({ customer, subscription: subscription.id })),
      }
    })
  },

  async pastInvoices({ query: { starting_after }, ...actor }) {
    const { ctx, account } = await billingRequest(actor)
    const customer = account.stripe_customer_id
    if (!customer) return { data: [], has_more: false }
    return readStripe(actor, async () => {
      const stripe = await ctx.payments!.client()
      const page = { customer, limit: 24, ...(starting_after && { starting_after }) }
      const { data, has_more } = await stripe.invoices.list(page)
      const shown = data.map((i) => ({
        id: i.id!,
        number: i.number,
        created: i.created,
        currency: i.currency,
        total: i.total,
        amount_paid: i.amount_paid,
        status: PastInvoice.shape.status.parse(i.status ?? 'draft'),
        hosted_invoice_url: i.hosted_invoice_url ?? null,
        invoice_pdf: i.invoice_pdf ?? null,
      }))
      return { data: shown, has_more }
    })
  },

  async customer(actor) {
    const request = await billingRequest(actor)
    const { account, scope } = request
    if (account.stripe_customer_id) return { stripe_customer_id: account.stripe_customer_id }
    // a read by its method, but it creates the customer
    if (scope.view_only) throw notFound()
    const id = await withLease(request, async (leased) =>
      customerOf(leased.ctx, leased.stripe, leased.lease, await emailOf(leased)),
    )
    return { stripe_customer_id: id }
  },

  async removeCustomer(actor) {
    const request = await billingRequest(actor)
    const customer = request.account.stripe_customer_id
    if (!customer) throw notFound()
    await withLease(request, (leased) => removeCustomer(leased, customer))
  },
}

async function removeCustomer(leased: LeasedRequest, customer: string) {
  const { ctx, stripe, account, ask } = leased
  const { status } = await ask(() => fetchSnapshot(stripe, ctx.db, customer))
  if (status === 'paid' || status === 'suspended')
    throw new Failure('conflict', t('The account has a paid plan. Return to the free plan first.'))
  await ask(() => stripe.customers.del(customer)).catch((e: unknown) => {
    if (!isMissing(e)) throw e
  })
  await finishIntent(leased, customer)
  await ctx.db
    .updateTable('accounts')
    .set({ stripe_customer_id: null })
    .where('account_sid', '=', account.account_sid)
    .execute()
}
