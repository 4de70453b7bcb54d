import {
  type CarrierFacts,
  type CarrierHealth,
  type CarrierHealthView,
  type CarrierHours,
  type CarrierRegistration,
  carrierVerdict,
  type GatewayProbe,
  gatewayVerdict,
  HEALTH_RULES,
  type HealthCounts,
  PROBE_FAILURES,
} from '@switchroom/contract'
import * as probes from '../../carriers/gateway-probes/queries.ts'
import { callsNow } from '../../carriers/trunk-calls/calls-now.ts'
import { meanSeconds, sumCounts } from '../../carriers/trunk-calls/sums.ts'
import { trunkFilters } from '../../carriers/trunk-calls/trunk-filters.ts'
import type { Row } from '../../carriers/voip-carriers/readable.ts'
import { readable } from '../../carriers/voip-carriers/readable.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Span, TrunkCounts, TrunkFilter } from '../../stores/calls/store.ts'
import { isCallOf } from '../../stores/calls/store.ts'
import { HOUR_MS, noTrunkCounts } from '../../stores/calls/sums.ts'
import { type Content, lastHours as failureHours, readContent } from '../failures/content.ts'
import * as failures from '../failures/queries.ts'
import { anomaliesOf } from './anomalies.ts'
import { noticesOf } from './notices.ts'

type Needs = Pick<Context, 'db' | 'state' | 'stores' | 'memory'>

const DAY_MS = 24 * HOUR_MS

/** The last clock hours, the current one included. */
export function lastHours(hours: number, now = Date.now()): Span {
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
  now = Date.now(),
): Promise<CarrierHealth[]> {
  return (await readHealth(ctx, scope, carriers, now)).map(({ health }) => health)
}

async function readHealth(ctx: Needs, scope: Scope, carriers: readonly Row[], now: number) {
  const trunks = await trunkFilters(ctx.db, scope, carriers)
  const span = lastHours(HEALTH_RULES.hours, now)
  const before = daysBefore(span)
  const { calls } = ctx.stores
  const wanted = [
    ...trunks,
    ...trunks.map((trunk) => ({ ...trunk, direction: 'inbound' as const })),
    ...trunks.map((trunk) => ({ ...trunk, direction: 'outbound' as const })),
  ]
  const [hours, days, latest, failures, anomalies, notices, callsGoingOn] = await Promise.all([
    ctx.memory.trunkHours(JSON.stringify([wanted, span]), () =>
      calls.trunks(wanted, span, { unit: 'hour', answer_times: true }),
    ),
    ctx.memory.trunkDays(JSON.stringify([wanted, before]), () =>
      calls.trunks(wanted, before, { unit: 'day' }),
    ),
    latestProbes(ctx.db, carriers, now),
    openFailures(ctx.db, scope, trunks, now),
    anomaliesOf(ctx, scope, carriers, now),
    noticesOf(ctx, scope, carriers, now),
    callsNow(ctx, scope, trunks),
  ])
  return carriers.map((carrier, i) => {
    const { voip_carrier_sid } = carrier
    const [all, inbound, outbound] = [i, i + carriers.length, i + 2 * carriers.length]
    const day = total(hours[all]!)
    const baseline = total(days[all]!)
    const registration = registrationOf(carrier)
    const own = latest.filter((p) => p.voip_carrier_sid === voip_carrier_sid)
    const facts = (of: number) => ({
      hours: countsOf(hours[of]!, span),
      baseline: total(days[of]!),
    })
    const verdict = carrierVerdict({
      is_active: carrier.is_active === 1,
      registration,
      start: span.from,
      inbound: facts(inbound),
      outbound: facts(outbound),
      day,
      baseline,
      failures: failures[all]!,
      anomalies: anomalies[all]!,
      notices: notices[all]!,
      failed_probes: own.filter(
        ({ isRecent, outcome }) => isRecent && PROBE_FAILURES.includes(outcome),
      ),
    })
    const last = own[0]
    const health: CarrierHealth = {
      voip_carrier_sid,
      ...verdict,
      inbound_calls_now: callsGoingOn?.[i] ?? null,
      hours: hoursOf(hours[all]!, span),
      day: { ...day, seconds_to_answer: meanSeconds(sumCounts(hours[all]!)) },
      baseline,
      registration,
      last_probe: last ? probeOf(last) : null,
    }
    return { health, probes: own, notices: notices[all]! }
  })
}

/** Health of a carrier with its gateways, the last month and the latest failure. */
export async function view(
  ctx: Needs,
  scope: Scope,
  carrier: Row,
  now = Date.now(),
): Promise<CarrierHealthView> {
  const [trunk] = await trunkFilters(ctx.db, scope, [carrier])
  const span = lastHours(HEALTH_RULES.strip_days * 24, now)
  const [[read], [month], last_failure, gateways] = await Promise.all([
    readHealth(ctx, scope, [carrier], now),
    ctx.memory.trunkHours(JSON.stringify([trunk, span]), () =>
      ctx.stores.calls.trunks([trunk!], span, { unit: 'hour' }),
    ),
    lastFailure(ctx, trunk!),
    ctx.db
      .selectFrom('sip_gateways')
      .select(['sip_gateway_sid', 'ipv4', 'port', 'is_active', 'outbound'])
      .where('voip_carrier_sid', '=', carrier.voip_carrier_sid)
      .orderBy('sip_gateway_sid')
      .execute(),
  ])
  const { start, calls, answered } = hoursOf(month!, span)
  return {
    ...read!.health,
    gateways: gateways.map(({ sip_gateway_sid, ipv4, port, is_active, outbound }) => ({
      sip_gateway_sid,
      address: port ? `${ipv4}:${port}` : ipv4,
      ...gatewayVerdict({
        is_active: is_active === 1,
        outbound: outbound === 1,
        probe:
          read!.probes.find((p) => p.isRecent && p.sip_gateway_sid === sip_gateway_sid) ?? null,
        notice: read!.notices.find((n) => n.sip_gateway_sids.includes(sip_gateway_sid)) ?? null,
      }),
    })),
    strip: { start, calls, answered },
    last_failure,
  }
}

/** The latest probe of each outbound gateway, with the time since which it fails. */
async function latestProbes(db: Needs['db'], carriers: readonly Row[], now: number) {
  const sids = carriers.map((c) => c.voip_carrier_sid)
  const latest = await probes.latest(db, sids)
  const isFailing = latest.some(({ outcome }) => PROBE_FAILURES.includes(outcome))
  const failing = isFailing ? await probes.failingSince(db, sids) : []
  const oldest = new Date(now - HEALTH_RULES.probe_hours * HOUR_MS).toISOString()
  const since = new Map(failing.map((f) => [f.sip_gateway_sid, f.at]))
  return latest.map((probe) => ({
    ...probe,
    isRecent: probe.at >= oldest,
    since: since.get(probe.sip_gateway_sid) ?? probe.at,
  }))
}

/** True if a failure has calls of the carrier, not only of another one with the same name. */
function isOf(
  { trunk, account_sid, service_provider_sid, except }: TrunkFilter,
  { row, content: { accounts } }: { row: failures.Row; content: Content },
) {
  if (row.trunk !== trunk || row.account_sid !== (account_sid ?? null)) return false
  if (account_sid !== undefined) return true
  const provider = row.service_provider_sid ?? ''
  if (service_provider_sid !== undefined && provider !== service_provider_sid) return false
  if (except?.service_provider_sids.includes(provider)) return false
  const hit = Object.keys(accounts.by)
  return hit.length === 0 || hit.some((sid) => !except?.account_sids.includes(sid))
}

/** Failures that nobody has muted or resolved, in the order of `trunks`: of the inbox that has all of their calls. */
async function openFailures(
  db: Needs['db'],
  scope: Scope,
  trunks: readonly TrunkFilter[],
  now: number,
): Promise<CarrierFacts['failures'][]> {
  const rows = await failures.openOf(
    db,
    scope,
    trunks,
    new Date(now - HEALTH_RULES.hours * HOUR_MS).toISOString(),
  )
  const read = rows.map((row) => ({ row, content: readContent(row.content) }))
  return trunks.map((filter) =>
    read
      .filter((failure) => isOf(filter, failure))
      .map(({ row: { failure_sid, direction, trunk, sip_status, reason, prefix }, content }) => ({
        ...{ failure_sid, direction, trunk, sip_status, reason, prefix },
        hours: failureHours(content, now),
      })),
  )
}

/** Failures to read, since those of other carriers of the same name are skipped. */
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

function total(counts: readonly TrunkCounts[]): HealthCounts {
  const { calls, answered, not_answered } = sumCounts(counts)
  return { calls, answered, not_answered }
}

/** Counts by the hours of a span, including hours without calls. */
function countsOf(counts: readonly TrunkCounts[], { from, to }: Span): HealthCounts[] {
  const byHour = new Map(counts.map((c) => [c.at, c]))
  return Array.from({ length: (to - from) / HOUR_MS }, (_, i) => {
    const { calls, answered, not_answered } = byHour.get(from + i * HOUR_MS) ?? noTrunkCounts(0)
    return { calls, answered, not_answered }
  })
}

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
