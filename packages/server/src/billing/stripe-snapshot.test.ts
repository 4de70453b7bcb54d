import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { statusOf } from './stripe-snapshot.ts'

it.each([
  ['active', 'paid'],
  ['trialing', 'paid'],
  ['past_due', 'suspended'],
  ['unpaid', 'suspended'],
  ['paused', 'suspended'],
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'none'],
  ['canceled', 'none'],
])('reads a subscription that Stripe calls %s as %s', (status, expected) => {
  expect(statusOf({ status } as Stripe.Subscription)).toBe(expected)
})
