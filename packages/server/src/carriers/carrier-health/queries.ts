import {
  type CarrierHealth,
  type CarrierHealthView,
  type CarrierHours,
  type CarrierRegistration,
  carrierState,
  type GatewayProbe,
  HEALTH_RULES,
  type HealthCounts,
  PROBE_FAILURES,
  PROBE_OUTCOMES,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Span, TrunkCounts, TrunkFilter } from '../../stores/calls.ts'
import { isCallOf } from '../../stores/calls.ts'
import { HOUR_MS } from '../../stores/sums.ts'
import * as probes from '../gateway-probes/queries.ts'
import { type Row, readable } from '../voip-carriers/queries.ts'
import { callsNow } from './calls-now.ts'
import { trunkFilters } from './trunk-filters.ts'

type Needs = Pick<Context, 'db' | 'state' | 'stores' | 'memory'>

const DAY_MS = 24 * HOUR_MS

/** The last clock hours, the current one included. */
function lastHours(hours: number, now = Date.now()): Span {
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  return { from: to - hours * HOUR_MS, to }
}

/** The whole days before those hours. */
function daysBefore({ from }: Span): Span {
  const to = Math.floor(from / DAY_MS) * DAY_MS
  return { from: to - HEALTH_RULES.baseline_days * DAY_MS, to }
}

/** The health of carriers that the caller can see. */
export async function healthOf(
  ctx: Needs,
  scope: Scope,
  carriers: readonly Row[],
): Promise<CarrierHealth[]> {
  const trunks = await trunkFilters(ctx.db, scope, carriers)
  const span = lastHours(HEALTH_RULES.hours)
  const before = daysBefore(span)
  const { calls } = ctx.stores
  const [hours, days, latest, now] = await Promise.all([
    ctx.memory.trunkHours(JSON.stringify([trunks, span]), () =>
      calls.trunks(trunks, span, { unit: 'hour', answer_times: true }),
    ),
    ctx.memory.trunkDays(JSON.stringify([trunks, before]), () =>
      calls.trunks(trunks, before, { unit: 'day' }),
    ),
    probes.latest(
      ctx.db,
      carriers.map((c) => c.voip_carrier_sid),
    ),
    callsNow(ctx, scope, trunks),
  ])
  return carriers.map((carrier, i) => {
    const { voip_carrier_sid } = carrier
    const day = total(hours[i]!)
    const baseline = total(days[i]!)
    const registration = registrationOf(carrier)
    const own = latest.filter((p) => p.voip_carrier_sid === voip_carrier_sid)
    const state = carrierState({
      is_active: carrier.is_active === 1,
      registration,
      recent: total(hours[i]!.filter((h) => h.at >= span.to - HEALTH_RULES.recent_hours * HOUR_MS)),
      day,
      baseline,
      failed_probe: failedProbe(own),
    })
    const last = own[0]
    return {
      voip_carrier_sid,
      ...state,
      inbound_calls_now: now?.[i] ?? null,
      hours: hoursOf(hours[i]!, span),
      day: { ...day, seconds_to_answer: meanSeconds(sumOf(hours[i]!)) },
      baseline,
      registration,
      last_probe: last ? probeOf(last) : null,
    }
  })
}

/** With the last month and the latest failure. */
export async function view(ctx: Needs, scope: Scope, carrier: Row): Promise<CarrierHealthView> {
  const [trunk] = await trunkFilters(ctx.db, scope, [carrier])
  const span = lastHours(HEALTH_RULES.strip_days * 24)
  const [[health], [month], last_failure] = await Promise.all([
    healthOf(ctx, scope, [carrier]),
    ctx.memory.trunkHours(JSON.stringify([trunk, span]), () =>
      ctx.stores.calls.trunks([trunk!], span, { unit: 'hour' }),
    ),
    lastFailure(ctx, trunk!),
  ])
  const { start, calls, answered } = hoursOf(month!, span)
  return { ...health!, strip: { start, calls, answered }, last_failure }
}

/** Failures read to skip those of carriers of the same name. */
const FAILURES_READ = 100

async function lastFailure({ stores }: Needs, trunk: TrunkFilter) {
  const { except: _, ...filter } = trunk
  const { from, to } = lastHours(HEALTH_RULES.baseline_days * 24)
  const { data } = await stores.calls.list(
    { ...filter, answered: false, from, to },
    { limit: FAILURES_READ, offset: 0 },
  )
  const call = data.find(({ account_sid, service_provider_sid }) =>
    isCallOf(trunk, {
      trunk: trunk.trunk,
      ...(account_sid !== null && { account_sid }),
      ...(service_provider_sid !== null && { service_provider_sid }),
    }),
  )
  if (!call) return null
  const { attempted_at: at, call_sid, sip_status, termination_reason: reason } = call
  return { at, call_sid, sip_status, reason }
}

/** Adds up hours or days. Their times to answer may be of samples. */
export function sumOf(counts: readonly TrunkCounts[]): Omit<TrunkCounts, 'at'> {
  const sum = { calls: 0, answered: 0, not_answered: 0, seconds: 0, timed: 0, answer_ms: 0 }
  for (const one of counts) {
    sum.calls += one.calls
    sum.answered += one.answered
    sum.not_answered += one.not_answered
    sum.seconds += one.seconds
    // a sampled hour counts by its calls, not by the size of its sample
    const weight = one.timed > 0 ? one.answered / one.timed : 0
    sum.timed += one.timed * weight
    sum.answer_ms += one.answer_ms * weight
  }
  return sum
}

function total(counts: readonly TrunkCounts[]): HealthCounts {
  const { calls, answered, not_answered } = sumOf(counts)
  return { calls, answered, not_answered }
}

export const meanSeconds = ({ timed, answer_ms }: Pick<TrunkCounts, 'timed' | 'answer_ms'>) =>
  timed > 0 ? Math.round(answer_ms / timed / 100) / 10 : null

function hoursOf(counts: readonly TrunkCounts[], { from, to }: Span): CarrierHours {
  const byHour = new Map(counts.map((c) => [c.at, c]))
  const hours = Array.from({ length: (to - from) / HOUR_MS }, (_, i) =>
    byHour.get(from + i * HOUR_MS),
  )
  return {
    start: new Date(from).toISOString(),
    calls: hours.map((h) => h?.calls ?? 0),
    answered: hours.map((h) => h?.answered ?? 0),
    not_answered: hours.map((h) => h?.not_answered ?? 0),
    seconds_to_answer: hours.map((h) => (h ? meanSeconds(h) : null)),
  }
}

function registrationOf(carrier: Row): CarrierRegistration | null {
  if (carrier.requires_register !== 1) return null
  const { status, reason } = readable(carrier).register_status
  const state = !status ? 'not_started' : status === 'ok' ? 'registered' : 'unregistered'
  return { state, reason: typeof reason === 'string' && reason ? reason : null }
}

function failedProbe(latest: readonly GatewayProbe[]) {
  const oldest = new Date(Date.now() - HEALTH_RULES.probe_hours * HOUR_MS).toISOString()
  const failed = latest.find((p) => p.at >= oldest && PROBE_FAILURES.includes(p.outcome))
  return failed ? { address: failed.address, result: PROBE_OUTCOMES[failed.outcome] } : null
}

const probeOf = (probe: GatewayProbe): GatewayProbe => ({
  sip_gateway_sid: probe.sip_gateway_sid,
  at: probe.at,
  outcome: probe.outcome,
  status: probe.status,
  reason: probe.reason,
  rtt_ms: probe.rtt_ms,
  transport: probe.transport,
  address: probe.address,
})
