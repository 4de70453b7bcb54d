import type { SubscriptionAction } from '@switchroom/contract'

export type BillingAction = SubscriptionAction | 'customer' | 'close'

export type BillingTables = {
  /** Accounts with a Stripe customer, their billing leases, and when they are reconciled next. */
  switchroom_billing_accounts: {
    account_sid: string
    /** Milliseconds, like all times of these three tables. */
    leased_until: number
    /** Null: only after an event. */
    next_at: number | null
    failures: number
    /** When a canceled paid plan ends. */
    ends_at: number | null
    /** Why a payment failed, or the action it waits for. */
    problem: string | null
  }
  /** Requests to Stripe, recorded before they are sent. The sid is the idempotency key. */
  switchroom_billing_intents: {
    billing_intent_sid: string
    account_sid: string
    action: BillingAction
    /** The request as JSON (`IntentRequest`). */
    wish: string
    /** `asked`: money may have moved. */
    status: 'noted' | 'asked' | 'done' | 'failed'
    stripe_customer_id: string | null
    /** The pending period in the platform's table. */
    account_subscription_sid: string | null
    created_at: number
    asked_at: number | null
  }
  /** Stripe events that were received, to skip duplicates. */
  switchroom_billing_events: { event_id: string; type: string; received_at: number }
}
