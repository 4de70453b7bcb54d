import {
  startOfDay,
  TRUNK_REPORT_CALLS,
  TRUNK_REPORT_CALLS_PER_CAUSE,
  TRUNK_REPORT_DAYS,
  type TrunkReport,
  type TrunkReportDay,
  zoneClock,
} from '@switchroom/contract'
import { meanSeconds, sumCounts } from '../../carriers/trunk-calls/sums.ts'
import { trunkFilters } from '../../carriers/trunk-calls/trunk-filters.ts'
import * as carrierGateways from '../../carriers/voip-carriers/gateway-queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import type * as carrierRows from '../../carriers/voip-carriers/readable.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import {
  type FailureCounts,
  isCallOf,
  type Span,
  type TrunkCounts,
  type TrunkFilter,
} from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { trunkLadder } from './ladder.ts'
import { shortParty } from './short.ts'
import { trunkOf } from './trunk.ts'

const DAY_MS = 24 * HOUR_MS

/** Failed calls to read of a cause, since those of other carriers of the same name are skipped. */
const CALLS_READ = 50

type Carrier = carrierRows.Row

/** The scope of a carrier's owner, of whose calls the report is. */
function ownersScope(
  { account_sid, service_provider_sid }: Carrier,
  provider: string | null,
): Scope {
  const caller = { view_only: true, force_change: false }
  if (account_sid)
    return { ...caller, role: 'account', account_sid, service_provider_sid: provider ?? '' }
  return service_provider_sid
    ? { ...caller, role: 'service_provider', service_provider_sid }
    : { ...caller, role: 'admin' }
}

/** The report of a carrier, whose link was looked up by its token. */
export async function reportOf(
  ctx: Context,
  carrier: Carrier,
  time_zone: string,
): Promise<Omit<TrunkReport, 'ends_at'>> {
  const scope = ownersScope(carrier, await carriers.providerOf(ctx.db, carrier))
  const [trunk] = await trunkFilters(ctx.db, scope, [carrier])
  const key = [carrier.voip_carrier_sid, trunk]
  const [figures, calls] = await Promise.all([
    ctx.memory.trunkReports(JSON.stringify([...key, time_zone]), () =>
      figuresOf(ctx, trunk!, time_zone),
    ),
    ctx.memory.trunkReportCalls(JSON.stringify(key), () => callsOf(ctx, carrier, trunk!)),
  ])
  return { carrier: carrier.name, time_zone, ...figures, ...calls }
}

async function figuresOf({ stores }: Context, trunk: TrunkFilter, time_zone: string) {
  const now = Date.now()
  const clock = zoneClock(time_zone)
  const dayOf = (ms: number) => Math.floor(clock(ms) / DAY_MS)
  // full hours, as the store counts by them
  const span = {
    from: Math.ceil(startOfDay(clock, now, TRUNK_REPORT_DAYS) / HOUR_MS) * HOUR_MS,
    to: Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS,
  }
  const [[hours = []], causes] = await Promise.all([
    stores.calls.trunks([trunk], span, { unit: 'hour', answer_times: true }),
    stores.calls.trunkFailures(trunk, span),
  ])
  const byDay = Map.groupBy(hours, ({ at }) => dayOf(at))
  const today = dayOf(now)
  const days = Array.from({ length: TRUNK_REPORT_DAYS + 1 }, (_, i): TrunkReportDay => {
    const day = today - TRUNK_REPORT_DAYS + i
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    return { date, ...countsOf(byDay.get(day) ?? []) }
  })
  return { read_at: new Date(now).toISOString(), days, total: countsOf(hours), causes }
}

function countsOf(hours: readonly TrunkCounts[]) {
  const sum = sumCounts(hours)
  const { calls, answered, not_answered, seconds } = sum
  return { calls, answered, not_answered, seconds, seconds_to_answer: meanSeconds(sum) }
}

/** The most frequent causes, and the number of calls to show for each. */
function shares(causes: FailureCounts) {
  const shown = causes.slice(0, TRUNK_REPORT_CALLS_PER_CAUSE)
  const each = Math.floor(TRUNK_REPORT_CALLS / Math.max(shown.length, 1))
  return { shown, each: Math.min(each, TRUNK_REPORT_CALLS_PER_CAUSE) }
}

async function callsOf(ctx: Context, carrier: Carrier, trunk: TrunkFilter) {
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS
  const span = { from: to - (TRUNK_REPORT_DAYS + 1) * DAY_MS, to }
  const { shown, each } = shares(await ctx.stores.calls.trunkFailures(trunk, span))
  const gateways = trunkOf(
    carrier,
    await carrierGateways.gateways(ctx.db, carrier.voip_carrier_sid),
  )
  const failed_calls: TrunkReport['failed_calls'] = []
  let captures: TrunkReport['captures'] = 'read'
  // one after the other: a capture may be a file to search
  for (const { sip_status } of shown)
    for (const call of (await latestOf(ctx, trunk, span, sip_status)).slice(0, each)) {
      const ladder = await trunkLadder(ctx, call, gateways).catch((err: unknown) => {
        if (!(err instanceof StoreUnavailable)) throw err
        ctx.log.warn({ err }, 'a trunk report is shown without its SIP')
        captures = 'unavailable'
        return null
      })
      failed_calls.push({
        at: call.attempted_at,
        direction: call.direction,
        sip_status,
        from: call.from && shortParty(call.from),
        to: call.to && shortParty(call.to),
        ladder,
      })
    }
  const { captures: configured } = ctx.config
  const isOff = configured.kind !== 'homer' && configured.listen === undefined
  if (isOff && !failed_calls.some((call) => call.ladder)) captures = 'off'
  return { failed_calls, captures }
}

/** The latest failed calls of a trunk with this status. */
async function latestOf(
  { stores }: Pick<Context, 'stores'>,
  { except, ...filter }: TrunkFilter,
  span: Span,
  sip_status: number | null,
) {
  const { data } = await stores.calls.list(
    {
      ...filter,
      ...span,
      answered: false,
      ...(sip_status === null ? { missing: ['sip_status'] } : { sip_status }),
    },
    { limit: CALLS_READ, offset: 0 },
  )
  return data.filter(({ account_sid, service_provider_sid }) =>
    isCallOf(
      { ...filter, ...(except && { except }) },
      {
        trunk: filter.trunk,
        ...(account_sid !== null && { account_sid }),
        ...(service_provider_sid !== null && { service_provider_sid }),
      },
    ),
  )
}
