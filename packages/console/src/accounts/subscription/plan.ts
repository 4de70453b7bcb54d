import {
  CAPACITIES,
  type CapacityCategory,
  FREE_PLAN,
  type Reply,
  registeredDevices,
  TRIAL_PLAN,
  type UpcomingInvoice,
  users,
} from '@switchroom/contract'
import { query } from '../../lib/api'
import { readTime } from '../../ui/time'
import { dayOf, money } from './money'

export type Capacity = Record<CapacityCategory, number>

/** What the signed-in person's account has, and where its payments stand. */
export type Plan = {
  type: string
  active: boolean
  trialEnds: Date | undefined
  ratio: number
  capacity: Capacity
  card: { type: string; last4: string; month: number; year: number } | undefined
  /** When a paid plan becomes the free one. */
  ends: Date | undefined
  suspended: boolean
  problem: string | undefined
}

const date = (value: unknown) => {
  const read = typeof value === 'string' && value ? readTime(value) : undefined
  return read && !Number.isNaN(read.getTime()) ? read : undefined
}

function planOf({ account, subscription: s }: Reply<typeof users.me>): Plan {
  const quantity = (category: CapacityCategory) => {
    // an account that nobody has registered has no subscription, and what its plan gives
    if (!s) return (account.plan_type === 'trial' ? TRIAL_PLAN : FREE_PLAN)[category]
    const { product } = CAPACITIES.find((c) => c.category === category)!
    return s.products.find(({ name }) => name === product)?.quantity ?? 0
  }
  const { last4, card_type, exp_month, exp_year } = s ?? {}
  return {
    type: String(account.plan_type),
    active: !!account.is_active,
    trialEnds: date(account.trial_end_date),
    ratio: Number(account.device_to_call_ratio),
    capacity: { voice_call_session: quantity('voice_call_session'), device: quantity('device') },
    card:
      last4 && exp_month && exp_year
        ? { type: card_type ?? '', last4, month: exp_month, year: exp_year }
        : undefined,
    ends: date(s?.ends_at),
    suspended: s?.status === 'suspended',
    problem: s?.payment_problem,
  }
}

export const ownPlan = () => ({ ...query(users.me, {}), select: planOf })

/** Paid, and nobody is waited for. */
export const isSettled = (me: Reply<typeof users.me>) => {
  const { type, problem } = planOf(me)
  return type === 'paid' && !problem
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
export const callsOf = (capacity: Capacity) =>
  counted(capacity.voice_call_session, 'simultaneous call')
export const devicesOf = (capacity: Capacity, ratio: number) =>
  counted(registeredDevices(ratio, capacity), 'registered device')

/** The plan in a sentence. The bill is left out until it is known. */
export function sentence(plan: Plan, bill: UpcomingInvoice | undefined): string {
  const { type, active, trialEnds, capacity, ratio } = plan
  const limited = `You are limited to ${callsOf(capacity)} and ${devicesOf(capacity, ratio)}`
  if (type === 'trial') {
    const end = trialEnds ? ` Your free trial will end on ${dayOf(trialEnds)}.` : ''
    return `You are currently on the Free plan (trial period). ${limited}.${end}`
  }
  if (type === 'paid') {
    const due = bill?.next_payment_attempt
    const billed = due
      ? ` You are billed ${money(bill.total, bill.currency)} on ${dayOf(new Date(due * 1000))}.`
      : ''
    return `Your paid subscription includes capacity for ${callsOf(capacity)}, and ${devicesOf(capacity, ratio)}.${billed}`
  }
  return active
    ? `You are currently on the Free plan (trial period expired). ${limited}`
    : 'Your free trial has expired.  Please upgrade your subscription to a paid plan to continue service'
}
