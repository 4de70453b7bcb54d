import { CAPACITIES, type CapacityCategory, FREE_PLAN, TRIAL_PLAN } from '@switchroom/contract'
import { query } from '../lib/api'
import { type Reply, users } from '../lib/endpoints'
import { readTime } from '../ui/dates'
import type { Line } from './lines'
import type { Plan } from './sentence'

const date = (value: unknown) => {
  const read = typeof value === 'string' && value ? readTime(value) : undefined
  return read && !Number.isNaN(read.getTime()) ? read : undefined
}

function planOf({ account, subscription: s }: Reply<typeof users.me>): Plan {
  const quantity = (category: CapacityCategory) => {
    // an account that was not self-registered has no subscription, only its plan's defaults
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

/** For the forms that change a plan. */
export type PlanFormProps = { account_sid: string; plan: Plan; lines: Line[] }

/** True if the plan is paid and no payment is pending. */
export const isPaidUp = (me: Reply<typeof users.me>) => {
  const { type, problem } = planOf(me)
  return type === 'paid' && !problem
}
