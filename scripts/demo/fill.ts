import { alertsBetween } from './alerts.ts'
import { callsOf, LONGEST_MS, type Plan } from './calls.ts'
import type { PlannedCall } from './planned-call.ts'
import { MINUTE } from './rhythm.ts'
import { mayRecord, type Store } from './store.ts'

const HOUR = 3_600_000
const RECORDINGS = 40

/** The calls that ended between two times. */
function callsBetween(plan: Plan, from: number, to: number): PlannedCall[] {
  const found: PlannedCall[] = []
  const last = Math.floor(to / MINUTE)
  for (let minute = Math.floor((from - LONGEST_MS) / MINUTE); minute <= last; minute++)
    for (const call of callsOf(plan, minute))
      if (call.ended_at >= from && call.ended_at < to) found.push(call)
  return found
}

/** The same in parts of some hours, between which the components that the demo plays can answer. */
async function* partsBetween(plan: Plan, from: number, to: number, hours: number) {
  for (let part = from; part < to; part += hours * HOUR) {
    await new Promise((r) => setImmediate(r))
    yield callsBetween(plan, part, Math.min(part + hours * HOUR, to))
  }
}

/** The last recorded calls of today. A recording is found by the day it arrives at, which is today. */
function toRecord(calls: readonly PlannedCall[]) {
  const midnight = new Date().setHours(0, 0, 0, 0)
  return new Set(calls.filter((c) => c.ended_at >= midnight && mayRecord(c)).slice(-RECORDINGS))
}

/** Stores what happened between two times: everything of the traced part, of the time before only call records. */
export async function fill(
  plan: Plan,
  store: Store,
  { from, to }: { from: number; to: number },
  progress: (text: string) => void,
) {
  const traced = Math.max(from, plan.traced_from + LONGEST_MS)
  async function history() {
    let n = 0
    for await (const calls of partsBetween(plan, from, traced, 8)) {
      await store.records(calls)
      n += calls.length
    }
    if (n > 0) progress(`${n.toLocaleString('en')} call records of the weeks before`)
  }
  async function lastDay() {
    const parts = await Array.fromAsync(partsBetween(plan, traced, to, 1))
    const all = parts.flat()
    const recorded = toRecord(all)
    for (const calls of parts)
      await store.everything(calls, new Set(calls.filter((c) => recorded.has(c))))
    const traces = all.filter(({ story }) => story).length
    progress(
      `${all.length.toLocaleString('en')} calls of the last day with SIP, ${traces.toLocaleString('en')} with a trace, ${recorded.size} with a recording`,
    )
  }
  await Promise.all([history(), lastDay(), store.alerts(alertsBetween(plan, from, to))])
}
