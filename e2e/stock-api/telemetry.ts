import { guardAccount, guardProvider } from './guards.ts'
import { type Call, notFound, ok, type Routes, refuse } from './wire.ts'

/** Call records and alerts, of the seeded account only. */

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const CALLS = Array.from({ length: 30 }, (_, i) => {
  const answered = i % 3 !== 2
  return {
    attempted_at: minutesAgo(10 * i + 5),
    account_sid: ACCOUNT,
    answered,
    // how the real server writes a missing time
    answered_at: answered ? minutesAgo(10 * i + 4) : '1970-01-01T00:00:00.000Z',
    call_sid: `00000000-0000-4000-8000-0000000000${String(i).padStart(2, '0')}`,
    direction: i % 2 === 0 ? 'inbound' : 'outbound',
    duration: answered ? 42 + i : 0,
    from: `1415555${String(1000 + i)}`,
    to: '442079460958',
    host: '10.0.0.5',
    remote_host: '203.0.113.10',
    recording_url: null,
    service_provider_sid: PROVIDER,
    sip_callid: `call-${i}@203.0.113.10`,
    sip_status: answered ? 200 : 486,
    terminated_at: minutesAgo(10 * i + 3),
    termination_reason: answered ? 'caller hungup' : 'busy',
    trace_id: '00000000000000000000000000000000',
    trunk: 'Northern Trunks',
  }
})

const ALERTS = ['webhook-failure', 'no-tts', 'account-call-limit'].map((alert_type, i) => ({
  time: minutesAgo(60 * i + 7).replace('Z', '811918Z'),
  account_sid: ACCOUNT,
  alert_type,
  detail: null,
  message: `Something happened: ${alert_type}`,
  service_provider_sid: PROVIDER,
  vendor: alert_type === 'no-tts' ? 'google' : null,
}))

type Point = Record<string, unknown>

/** Filters and pages points. Page numbers are returned as strings, as they came. */
function timeSeries(call: Call, points: Point[], filters: ((point: Point) => boolean)[]) {
  const { page, count, days, start, end } = call.query
  if (!page || !(Number(page) >= 1)) refuse(400, 'missing or invalid "page" query arg')
  if (!count || !(Number(count) <= 500)) refuse(400, 'missing or invalid "count" query arg')
  const column = call.params.sid === PROVIDER ? 'service_provider_sid' : 'account_sid'
  const from = days ? Date.now() - Number(days) * 86_400_000 : Date.parse(start ?? '1970-01-01')
  const to = days || !end ? Number.POSITIVE_INFINITY : Date.parse(end)
  const rows = points.filter((point) => {
    const at = Date.parse(String(point.attempted_at ?? point.time))
    return (
      point[column] === call.params.sid && at >= from && at <= to && filters.every((f) => f(point))
    )
  })
  const first = (Number(page) - 1) * Number(count)
  return ok({
    total: rows.length,
    page_size: count,
    page,
    data: rows.slice(first, first + Number(count)),
  })
}

function listCalls(call: Call) {
  const { trunk, direction, answered, filter } = call.query
  if (filter?.startsWith('+')) refuse(500, 'error parsing query: invalid regex')
  return timeSeries(call, CALLS, [
    (c) => !trunk || c.trunk === trunk,
    (c) => !direction || c.direction === direction,
    (c) => (answered !== 'true' && answered !== 'false') || String(c.answered) === answered,
    (c) => !filter || `${c.from} ${c.to}`.includes(filter) || c.call_sid === filter,
  ])
}

const listAlerts = (call: Call) =>
  timeSeries(call, ALERTS, [
    (a) => !call.query.alert_type || a.alert_type === call.query.alert_type,
  ])

const nestedRoutes = (path: string, guard: (call: Call) => Promise<void> | void): Routes => {
  const guarded = (handler: Routes[string]) => async (call: Call) => {
    await guard(call)
    return handler(call)
  }
  return {
    [`GET ${path}/RecentCalls`]: guarded(listCalls),
    [`GET ${path}/Alerts`]: guarded(listAlerts),
    // no Homer and no Jaeger
    [`GET ${path}/RecentCalls/trace/:id`]: guarded(() => notFound),
    [`GET ${path}/RecentCalls/:id`]: guarded(() => ({ status: 400, text: 'Bad Request' })),
    [`GET ${path}/RecentCalls/:id/logs`]: guarded(() =>
      refuse(400, 'Logs are only available in AWS environments'),
    ),
    [`GET ${path}/RecentCalls/:id/:method/pcap`]: guarded(() => ({
      status: 400,
      text: 'Bad Request',
    })),
  }
}

export const telemetry: Routes = {
  ...nestedRoutes('/Accounts/:sid', guardAccount),
  ...nestedRoutes('/ServiceProviders/:sid', guardProvider),
}
