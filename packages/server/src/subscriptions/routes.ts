import type { api } from '@switchroom/contract'
import type { Who } from '../changes/record.ts'
import type { Context } from '../context.ts'
import { Failure } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import { changeCard } from './card.ts'
import { catalogue } from './catalogue.ts'
import { customerOf } from './customer.ts'
import { downgrade, keepPaidPlan } from './downgrade.ts'
import { finishPayment } from './finish.ts'
import { type Account, type Asking, finished, type Held, holding, looking } from './held.ts'
import * as periods from './periods.ts'
import { emailOf } from './person.ts'
import { changeQuantities, previewQuantities } from './quantities.ts'
import { isMissing, toFailure } from './stripe.ts'
import { lookUp, standingOf } from './truth.ts'
import { type Body, upgrade } from './upgrade.ts'

type Request = Who & { ctx: Context }

const notFound = () => new Failure('not_found', 'Not Found')

const paymentsOf = ({ payments }: Context) => {
  if (!payments) throw new Failure('not_found', 'No payment provider is set up')
  return payments
}

/** The caller's own account. Nobody subscribes for somebody else. */
async function asking({ ctx, scope, by }: Request): Promise<Asking> {
  paymentsOf(ctx)
  if (scope.role !== 'account') throw notFound()
  const account: Account | undefined = await ctx.db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid', 'name', 'plan_type', 'stripe_customer_id'])
    .where('account_sid', '=', scope.account_sid)
    .executeTakeFirst()
  if (!account) throw notFound()
  return { ctx, scope, by, account }
}

/** A question to the provider that changes nothing. */
async function reading<T>({ ctx }: Request, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (e) {
    const { code } = e as { code?: string }
    if (isMissing(e) || code === 'invoice_upcoming_none') throw notFound()
    throw toFailure(ctx.log, e, false)
  }
}

const DOING: Record<Body['action'], (held: Held, body: Body) => ReturnType<typeof upgrade>> = {
  'upgrade-to-paid': upgrade,
  'update-payment-method': changeCard,
  'update-quantities': changeQuantities,
  'downgrade-to-free': downgrade,
  'keep-paid-plan': keepPaidPlan,
  'finish-payment': finishPayment,
}

export const subscriptionRoutes: Handlers<typeof api.subscriptions> = {
  async prices(who) {
    const { ctx, scope } = who
    const payments = paymentsOf(ctx)
    const account = scope.role === 'account' ? scope.account_sid : undefined
    return reading(who, async () => catalogue(await payments.client(), ctx.db, account))
  },

  async view(who) {
    const { ctx, account } = await asking(who)
    const open = await periods.open(ctx.db, account.account_sid)
    const id = open.find((p) => p.stripe_subscription_id !== null)?.stripe_subscription_id
    if (!id) throw notFound()
    const stripe = await ctx.payments!.client()
    const found = await reading(who, () =>
      stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }),
    )
    return { ...found }
  },

  async change({ body, ...who }) {
    const request = await asking(who)
    if (body.action === 'update-quantities' && body.dry_run)
      return looking(request, (looked) => previewQuantities(looked, body))
    return holding(request, (held) => DOING[body.action](held, body))
  },

  async upcomingInvoice(who) {
    const { ctx, account } = await asking(who)
    const customer = account.stripe_customer_id
    if (!customer) throw notFound()
    return reading(who, async () => {
      const stripe = await ctx.payments!.client()
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
      const counts = (s: (typeof data)[number]) => ['paid', 'suspended'].includes(standingOf(s))
      const subscription = data.find(counts)
      if (!subscription) throw notFound()
      return {
        ...(await stripe.invoices.createPreview({ customer, subscription: subscription.id })),
      }
    })
  },

  async pastInvoices({ query: { starting_after }, ...who }) {
    const { ctx, account } = await asking(who)
    const customer = account.stripe_customer_id
    if (!customer) return { data: [], has_more: false }
    return reading(who, async () => {
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
        status: (i.status ?? 'draft') as 'paid',
        hosted_invoice_url: i.hosted_invoice_url ?? null,
        invoice_pdf: i.invoice_pdf ?? null,
      }))
      return { data: shown, has_more }
    })
  },

  async customer(who) {
    const request = await asking(who)
    const { account, scope } = request
    if (account.stripe_customer_id) return { stripe_customer_id: account.stripe_customer_id }
    // a question, but one that leaves something behind
    if (scope.view_only) throw notFound()
    const id = await holding(request, async (held) =>
      customerOf(held.ctx, held.stripe, held.lease, await emailOf(held)),
    )
    return { stripe_customer_id: id }
  },

  async removeCustomer(who) {
    const request = await asking(who)
    const customer = request.account.stripe_customer_id
    if (!customer) throw notFound()
    await holding(request, (held) => removeCustomer(held, customer))
  },
}

async function removeCustomer(held: Held, customer: string) {
  const { ctx, stripe, account, ask } = held
  const { standing } = await ask(() => lookUp(stripe, ctx.db, customer))
  if (standing === 'paid' || standing === 'suspended')
    throw new Failure('conflict', 'The account has a paid plan. Return to the free plan first.')
  await ask(() => stripe.customers.del(customer)).catch((e: unknown) => {
    if (!isMissing(e)) throw e
  })
  await finished(held, customer)
  await ctx.db
    .updateTable('accounts')
    .set({ stripe_customer_id: null })
    .where('account_sid', '=', account.account_sid)
    .execute()
}
