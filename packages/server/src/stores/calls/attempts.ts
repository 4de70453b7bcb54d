import type { AttemptCounts, SubjectKind } from './store.ts'

/** An attempt as a store reads it. Times are in milliseconds; what is unknown is null. */
export type Attempt = {
  at: number
  account_sid: string | null
  trunk: string | null
  application_sid: string | null
  direction: string | null
  to: string | null
  answered: boolean | null
  answered_at: number | null
  terminated_at: number | null
}

/** Longer times to answer are errors of a clock. */
const MAX_WAIT_MS = 3_600_000
/** Digits of a called number that make a prefix: a country with an area, network or first part of it. */
export const PREFIX_DIGITS = 4
const NUMBER = new RegExp(`^\\+?(\\d{${PREFIX_DIGITS}})\\d{3,}$`)
/** What the platform writes in place of a carrier for calls to SIP clients and SIP addresses. */
const NO_CARRIER = new Set(['user', 'sipUri'])

export const prefixOf = ({ direction, to }: Pick<Attempt, 'direction' | 'to'>) =>
  direction === 'outbound' && to ? NUMBER.exec(to)?.[1] : undefined

const directionOf = ({ direction }: Attempt) =>
  direction === 'inbound' || direction === 'outbound' ? direction : null

/** Sums attempts by subject and slice. */
export function attemptSums(step_ms: number) {
  const sums = new Map<string, AttemptCounts>()

  function add(kind: SubjectKind, id: string, at: number, slices_to_end: number, call: Attempt) {
    const direction = kind === 'carrier' ? directionOf(call) : null
    const key = `${kind} ${direction} ${at} ${slices_to_end} ${id}`
    let sum = sums.get(key)
    if (!sum) {
      sum = {
        kind,
        id,
        direction,
        at,
        slices_to_end,
        calls: 0,
        answered: 0,
        not_answered: 0,
        waits: 0,
        wait_ms: 0,
        log_wait: 0,
        log_wait_squared: 0,
      }
      sums.set(key, sum)
    }
    sum.calls++
    if (call.answered === false) sum.not_answered++
    if (!call.answered) return
    sum.answered++
    const wait = (call.answered_at ?? Number.NaN) - call.at
    if (!(wait >= 0 && wait <= MAX_WAIT_MS)) return
    // below a second only clocks differ
    const log = Math.log(Math.max(1_000, wait))
    sum.waits++
    sum.wait_ms += wait
    sum.log_wait += log
    sum.log_wait_squared += log * log
  }

  return {
    add(call: Attempt) {
      const at = Math.floor(call.at / step_ms) * step_ms
      const end = Math.max(call.at, call.terminated_at ?? call.at)
      const slices = Math.floor((end - at) / step_ms)
      const prefix = prefixOf(call)
      if (call.trunk && !NO_CARRIER.has(call.trunk)) add('carrier', call.trunk, at, slices, call)
      if (call.application_sid) add('application', call.application_sid, at, slices, call)
      if (call.account_sid) add('account', call.account_sid, at, slices, call)
      if (prefix) add('prefix', prefix, at, slices, call)
    },
    all: () => [...sums.values()],
  }
}
