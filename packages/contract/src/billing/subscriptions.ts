import { z } from 'zod'
import { FlagIn, Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { enter } from '../wire/plain-messages.ts'
import { isOneOf, membersOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { PricedProduct } from './prices.ts'

/** The plans as stored in `accounts.plan_type`. */
export const PLANS = ['trial', 'free', 'paid'] as const

export const CARD_REFUSED = t('Something went wrong, please try again.')
export const CAPACITY_NOT_GRANTED = t(
  'The additional capacity you that you requested could not be granted due to a failure processing payment. Please configure a valid credit card for your account and the upgrade will be automatically processed',
)
export const SUBSCRIPTION_PAID = t('Payment completed successfully')
export const SUBSCRIPTION_ENDED = t('Downgrade to free plan completed successfully')
export const CAPACITY_CHANGED = t('Your subscription capacity has been successfully modified.')
/** 422: the price changed after the user agreed to it. */
export const PRICE_CHANGED = t(
  'The price has changed since you last saw it. You have not been charged. Please review your changes again.',
)
/** 422: another request for the same subscription is running, or its outcome is not known yet. */
export const STILL_PROCESSING = t(
  'An earlier change to this subscription is still being processed. Please try again in a minute.',
)
/** 503: the payment provider did not answer. */
export const OUTCOME_UNKNOWN = t(
  'The payment provider did not answer in time. We are checking what happened to your request, and you will not be charged twice. Please check again in a minute.',
)
export const PROVIDER_UNREACHABLE = t(
  'The payment provider cannot be reached. You have not been charged.',
)

/** 429: too many cards were tried. */
export const TOO_MANY_CARDS = t('Too many card attempts. Please try again in an hour.')

export const SUBSCRIPTION_ACTIONS = [
  'upgrade-to-paid',
  'update-payment-method',
  'update-quantities',
  'downgrade-to-free',
  // Switchroom only: cancels a downgrade that has not taken effect yet
  'keep-paid-plan',
  // Switchroom only: the outcome of an open payment, and how to continue it
  'finish-payment',
] as const
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number]

/** An id from the payment provider. */
const StripeId = () => z.string().regex(/^\w{3,255}$/)

/** A quantity of a product at one of its prices. */
export const CapacityIn = z.object({
  price_id: StripeId(),
  product_sid: Sid,
  quantity: z.number().int().min(0).max(1000),
})
export type CapacityIn = z.infer<typeof CapacityIn>

const Cents = z.number().int().min(-1e12).max(1e12)

export const SubscriptionChange = z
  .object({
    action: z.enum(SUBSCRIPTION_ACTIONS, t('Choose what to do with the subscription')),
    payment_method_id: StripeId().optional(),
    /** All products of the account, each once. */
    products: z.array(CapacityIn).min(1).max(10).optional(),
    /** Previews the cost of `update-quantities` and changes nothing. */
    dry_run: FlagIn.optional(),
    /**
     * Ours: the price the user was shown, in cents. The change is refused with `PRICE_CHANGED` if it differs
     * now. The time is that of the preview, so that proration counts the same days.
     */
    expected: z
      .object({
        monthly_cost: Cents,
        prorated_cost: Cents.optional(),
        proration_date: z.number().int().min(0).max(1e11).optional(),
      })
      .optional(),
  })
  .superRefine(({ action, payment_method_id, products }, refuse) => {
    const missing = (field: string) =>
      refuse.addIssue({ code: 'custom', path: [field], message: enter([field]) })
    const pays = action === 'upgrade-to-paid' || action === 'update-payment-method'
    if (pays && !payment_method_id) missing('payment_method_id')
    if ((action === 'upgrade-to-paid' || action === 'update-quantities') && !products)
      missing('products')
  })
export type SubscriptionChange = z.infer<typeof SubscriptionChange>

/** The cost of a capacity change, in cents. A negative amount is a credit. */
export const CapacityPreview = z.object({
  currency: z.string(),
  /** Due now, for the rest of the period. */
  prorated_cost: Integer,
  /** Per period, starting with the next one. */
  monthly_cost: Integer,
  /** Date in the form `Tue Jan 01 2030`. */
  next_invoice_date: z.string(),
  /** Switchroom only: send it back as part of `expected`. */
  proration_date: Integer,
})
export type CapacityPreview = z.infer<typeof CapacityPreview>

export const SubscriptionOutcome = z.object({
  /**
   * `action required`: the bank requires authentication; confirm with `client_secret`.
   * `card error`: show `reason`; another card can be tried with `update-payment-method`.
   * `failed`: the capacity was not granted, see `CAPACITY_NOT_GRANTED`.
   */
  status: z.enum([
    'success',
    'action required',
    'card error',
    'failed',
    'failed to pay outstanding invoices',
  ]),
  reason: z.string().optional(),
  client_secret: z.string().optional(),
  /** The payment provider's id. */
  subscription: z.string().optional(),
  /** Cents. */
  chargedAmount: z.number().int().optional(),
  currency: z.string().optional(),
  statementDescriptor: z.string().optional(),
})
export type SubscriptionOutcome = z.infer<typeof SubscriptionOutcome>

/** An upcoming invoice as the payment provider returns it, with further fields; amounts in cents, times in seconds. */
export const UpcomingInvoice = z.looseObject({
  currency: z.string(),
  total: Integer,
  next_payment_attempt: IntegerOrNull,
})
export type UpcomingInvoice = z.infer<typeof UpcomingInvoice>

export const PastInvoice = z.object({
  id: z.string(),
  number: StringOrNull,
  /** Seconds. */
  created: Integer,
  currency: z.string(),
  /** Cents. */
  total: Integer,
  amount_paid: Integer,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  /** The payment provider's page for the invoice, and its PDF. */
  hosted_invoice_url: StringOrNull,
  invoice_pdf: StringOrNull,
})
export type PastInvoice = z.infer<typeof PastInvoice>

/** Part of `GET /Users/me` in the hosted variant. */
export const OwnSubscription = z.object({
  /** `suspended`: service stopped after a failed payment. */
  status: z.enum(['active', 'suspended']),
  account_subscription_sid: z.string(),
  start_date: z.string(),
  products: z.array(z.object({ name: z.string(), quantity: Integer })),
  /** These five are present only when there is a card. */
  last4: z.string().optional(),
  exp_month: z.number().int().optional(),
  exp_year: z.number().int().optional(),
  card_type: z.string().optional(),
  statement_descriptor: z.string().optional(),
  /** Switchroom only: when the paid plan ends after a downgrade. */
  ends_at: z.string().optional(),
  /** Switchroom only: a payment that needs the user or failed, and why. */
  payment_problem: z.string().optional(),
})
export type OwnSubscription = z.infer<typeof OwnSubscription>

const one = { path: '/Subscriptions', access: 'account', hosted: true } as const
const customer = { path: '/StripeCustomerId', access: 'account', hosted: true } as const

export const subscriptions = endpoints({
  prices: {
    path: '/Prices',
    access: 'account',
    hosted: true,
    method: 'GET',
    summary: 'List prices',
    response: z.array(PricedProduct),
  },
  view: {
    ...one,
    method: 'GET',
    summary: 'Get the subscription of the caller’s account from the payment provider',
    response: z.looseObject({ id: z.string(), status: z.string() }),
  },
  change: {
    ...one,
    method: 'POST',
    summary: 'Subscribe, change the card or the capacity, or return to the free plan',
    whileUnpaid: true,
    body: SubscriptionChange,
    refusals: {
      action: t('invalid or missing action'),
      payment_method_id: t('missing payment_method_id'),
      products: t('missing products'),
      'products.price_id': t('missing price_id'),
    },
    status: 201,
    /** The platform's status codes, whatever is answered. */
    statusOf: (body: unknown) =>
      isOneOf(['upgrade-to-paid', 'update-quantities'], membersOf(body).action) ? 201 : 200,
    response: z.union([SubscriptionOutcome, CapacityPreview]),
  },
  upcomingInvoice: {
    path: '/Invoices',
    access: 'account',
    hosted: true,
    method: 'GET',
    summary: 'Preview the next invoice',
    response: UpcomingInvoice,
  },
  pastInvoices: {
    path: '/Invoices/Past',
    access: 'account',
    hosted: true,
    own: true,
    method: 'GET',
    summary: 'List invoices, newest first',
    query: z.object({ starting_after: StripeId().optional() }),
    response: z.object({ data: z.array(PastInvoice), has_more: z.boolean() }),
  },
  customer: {
    ...customer,
    method: 'GET',
    summary: 'Get or create the payment provider’s customer ID of the caller’s account',
    response: z.object({ stripe_customer_id: z.string() }),
  },
  removeCustomer: {
    ...customer,
    ...removes,
    summary: 'Delete the account at the payment provider; refused while it has a paid plan',
  },
})
