import {
  type CapacityCategory,
  enforcedDevices,
  FREE_PLAN,
  registeredDevices,
  type UpcomingInvoice,
} from '@switchroom/contract'
import { dayText } from '../ui/dates'
import { money } from './money'

export type Capacity = Record<CapacityCategory, number>

/** Plan and payment status of the signed-in user's account. */
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

export const SUSPENDED = 'Your service is suspended: a payment failed.'

const pluralize = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
export const callsOf = (capacity: Capacity) =>
  pluralize(capacity.voice_call_session, 'simultaneous call')
const devices = (plan: string, ratio: number, capacity: Capacity) =>
  pluralize(registeredDevices(plan, ratio, capacity), 'registered device')
export const paidDevicesOf = (ratio: number, capacity: Capacity) => devices('paid', ratio, capacity)

/** Said if the SBCs accept fewer registered devices than the paid plan includes. */
export function enforcedText(ratio: number, capacity: Capacity) {
  const enforced = enforcedDevices(ratio, capacity)
  return enforced < registeredDevices('paid', ratio, capacity)
    ? `The SBCs currently accept at most ${enforced} registered devices.`
    : undefined
}

/** For a paid plan that was canceled. */
export const endText = (ends: Date) =>
  `Your paid plan ends on ${dayText(ends)}. After that, you are on the Free plan.`

/** The plan in a sentence, without the bill until it has loaded. */
export function sentence(plan: Plan, bill: UpcomingInvoice | undefined): string {
  const { type, active, trialEnds, ratio } = plan
  // the Free plan's limits apply, whatever was bought before
  const capacity = type === 'free' ? FREE_PLAN : plan.capacity
  const counts = [callsOf(capacity), devices(type, ratio, capacity)] as const
  const limited = `You are limited to ${counts.join(' and ')}`
  if (type === 'trial') {
    const end = trialEnds ? ` Your free trial will end on ${dayText(trialEnds)}.` : ''
    return `You are currently on the Free plan (trial period). ${limited}.${end}`
  }
  if (type === 'paid') {
    const due = bill?.next_payment_attempt
    const billed = due
      ? ` You are billed ${money(bill.total, bill.currency)} on ${dayText(due * 1000)}.`
      : ''
    return `Your paid subscription includes capacity for ${counts.join(', and ')}.${billed}`
  }
  return active
    ? `You are currently on the Free plan (trial period expired). ${limited}`
    : 'Your free trial has expired.  Please upgrade your subscription to a paid plan to continue service'
}
