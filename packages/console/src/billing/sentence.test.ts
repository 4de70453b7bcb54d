import { expect, it } from 'vitest'
import { enforcedText, type Plan, paidDevicesOf, sentence } from './sentence'

const plan = (more: Partial<Plan>): Plan => ({
  type: 'trial',
  active: true,
  trialEnds: undefined,
  ratio: 5,
  capacity: { voice_call_session: 5, device: 0 },
  card: undefined,
  ends: undefined,
  suspended: false,
  problem: undefined,
  ...more,
})

it('says what a trial includes, and when it ends', () => {
  expect(sentence(plan({}), undefined)).toBe(
    'You are currently on the Free plan (trial period). You are limited to 5 simultaneous calls and 25 registered devices.',
  )
  expect(sentence(plan({ trialEnds: new Date(2026, 11, 5) }), undefined)).toMatch(
    / Your free trial will end on Dec 05, 2026\.$/,
  )
})

it('says what is paid for, and the next bill if known', () => {
  const paid = plan({ type: 'paid', capacity: { voice_call_session: 20, device: 10 } })
  const first =
    'Your paid subscription includes capacity for 20 simultaneous calls, and 150 registered devices.'
  expect(sentence(paid, undefined)).toBe(first)
  const due = new Date(2027, 0, 9, 12).getTime() / 1000
  expect(sentence(paid, { currency: 'usd', total: 18_505, next_payment_attempt: due })).toBe(
    `${first} You are billed $185.05 on Jan 09, 2027.`,
  )
  expect(sentence(paid, { currency: 'usd', total: 0, next_payment_attempt: null })).toBe(first)
})

it('says what the free plan includes after a trial', () => {
  const free = plan({ type: 'free', capacity: { voice_call_session: 1, device: 1 } })
  expect(sentence(free, undefined)).toBe(
    'You are currently on the Free plan (trial period expired). You are limited to 1 simultaneous call and 1 registered device',
  )
  // right after a downgrade the paid capacity may still be reported
  const bought = { ...free, capacity: { voice_call_session: 20, device: 10 } }
  expect(sentence(bought, undefined)).toBe(sentence(free, undefined))
  expect(sentence({ ...free, active: false }, undefined)).toBe(
    'Your free trial has expired.  Please upgrade your subscription to a paid plan to continue service',
  )
})

it('says when fewer devices can register than the plan includes', () => {
  const capacity = { voice_call_session: 20, device: 10 }
  expect(paidDevicesOf(5, capacity)).toBe('150 registered devices')
  expect(enforcedText(5, capacity)).toMatch(/at most 110 registered devices/)
  expect(enforcedText(5, { voice_call_session: 20, device: 0 })).toBeUndefined()
  expect(enforcedText(1, capacity)).toBeUndefined()
})
