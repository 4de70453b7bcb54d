import {
  type CapacityCategory,
  enforcedDevices,
  FREE_PLAN,
  plural,
  registeredDevices,
  t,
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

export const SUSPENDED = t('Your service is suspended: a payment failed.')

export const callsOf = (capacity: Capacity) =>
  plural(capacity.voice_call_session, '1 simultaneous call|{n} simultaneous calls')
const devicesOf = (plan: string, ratio: number, capacity: Capacity) =>
  plural(registeredDevices(plan, ratio, capacity), '1 registered device|{n} registered devices')
export const paidDevicesOf = (ratio: number, capacity: Capacity) =>
  devicesOf('paid', ratio, capacity)

/** Said if the SBCs accept fewer registered devices than the paid plan includes. */
export function enforcedText(ratio: number, capacity: Capacity) {
  const enforced = enforcedDevices(ratio, capacity)
  return enforced < registeredDevices('paid', ratio, capacity)
    ? plural(
        enforced,
        'The SBCs currently accept at most 1 registered device.|The SBCs currently accept at most {n} registered devices.',
      )
    : undefined
}

/** For a paid plan that was canceled. */
export const endText = (ends: Date) =>
  t('Your paid plan ends on {day}. After that, you are on the Free plan.', { day: dayText(ends) })

/** The plan in a sentence, without the bill until it has loaded. */
export function sentence(plan: Plan, bill: UpcomingInvoice | undefined): string {
  const { type, active, trialEnds, ratio } = plan
  // the Free plan's limits apply, whatever was bought before
  const capacity = type === 'free' ? FREE_PLAN : plan.capacity
  const counts = { calls: callsOf(capacity), devices: devicesOf(type, ratio, capacity) }
  if (type === 'trial') {
    const included = t(
      'You are currently on the Free plan (trial period). You are limited to {calls} and {devices}.',
      counts,
    )
    if (!trialEnds) return included
    return `${included} ${t('Your free trial will end on {day}.', { day: dayText(trialEnds) })}`
  }
  if (type === 'paid') {
    const included = t(
      'Your paid subscription includes capacity for {calls}, and {devices}.',
      counts,
    )
    const due = bill?.next_payment_attempt
    if (!due) return included
    const billed = t('You are billed {money} on {day}.', {
      money: money(bill.total, bill.currency),
      day: dayText(due * 1000),
    })
    return `${included} ${billed}`
  }
  return active
    ? t(
        'You are currently on the Free plan (trial period expired). You are limited to {calls} and {devices}',
        counts,
      )
    : t(
        'Your free trial has expired.  Please upgrade your subscription to a paid plan to continue service',
      )
}
