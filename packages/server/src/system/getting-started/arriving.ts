import type { Call, GettingStarted, OpenReason } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { doorsOf } from './doors.ts'

const SPAN_MS = 7 * 86_400_000
/** Later than any record: components' clocks may be ahead. */
const EVER = 8.64e15
/** How many of the latest calls may lack a trace or SIP before it counts as missing. */
const LOOKED_AT = 3
/** SIP comes in before a record begins and after it ends, by clocks that may differ. */
const AROUND_MS = 3_600_000
const NO_TRACE = /^0*$/

type Part = 'calls' | 'traces' | 'sip' | 'recordings'
export type Arriving = {
  latest: GettingStarted['latest_call']
  isAnswered: boolean
  open: Record<Part, OpenReason | false>
}

const unavailable = (e: unknown): 'unavailable' => {
  if (e instanceof StoreUnavailable) return 'unavailable'
  throw e
}

/** Which of the things that calls leave behind have come in for the owner's latest calls. */
export async function arriving(ctx: Context, owner: Owner): Promise<Arriving> {
  const whose = owner.account_sid ? { account_sid: owner.account_sid } : owner
  const span = { ...whose, from: Date.now() - SPAN_MS, to: EVER }
  const page = (limit: number) => ({ limit, offset: 0 })
  const found = await Promise.all([
    ctx.stores.calls.list(span, page(LOOKED_AT)),
    ctx.stores.calls.list({ ...span, answered: true }, page(1)),
  ]).catch(unavailable)
  if (found === 'unavailable')
    return {
      latest: null,
      isAnswered: false,
      open: { calls: found, traces: found, sip: found, recordings: found },
    }
  const [{ data: calls }, { data: answered }] = found
  const doors = doorsOf(ctx.config)
  const [latest] = calls
  const [traces, sip, recordings] = await Promise.all([
    openOf(calls, doors.traces.kind === 'off', (call) => hasTrace(ctx, call)),
    openOf(calls, doors.sip.kind === 'off', (call) => hasSip(ctx, call)),
    recordingsOpen(ctx, whose, calls),
  ])
  return {
    latest: latest ? excerpt(latest) : null,
    isAnswered: answered.length > 0,
    open: {
      calls: !latest && (doors.calls.kind === 'off' ? 'off' : 'no_call'),
      traces,
      sip,
      recordings,
    },
  }
}

const excerpt = (call: Call) => ({
  account_sid: call.account_sid,
  call_sid: call.call_sid,
  attempted_at: call.attempted_at,
  sip_status: call.sip_status,
  termination_reason: call.termination_reason,
})

/** Done if any of the calls has it. */
async function openOf(calls: Call[], isOff: boolean, has: (call: Call) => Promise<boolean>) {
  if (isOff) return 'off'
  if (calls.length === 0) return 'no_call'
  const all = await Promise.all(calls.map(has)).catch(unavailable)
  if (all === 'unavailable') return all
  return !all.includes(true) && 'missing'
}

async function hasTrace({ stores }: Context, { trace_id }: Call) {
  if (!trace_id || NO_TRACE.test(trace_id)) return false
  return (await stores.traces.find(trace_id)) !== undefined
}

async function hasSip({ stores }: Context, { sip_callid, attempted_at, terminated_at }: Call) {
  if (!sip_callid) return false
  const { messages } = await stores.captures.find({
    call_id: sip_callid,
    kind: 'call',
    from: Date.parse(attempted_at) - AROUND_MS,
    to: Date.parse(terminated_at ?? attempted_at) + AROUND_MS,
  })
  return messages.length > 0
}

async function recordingsOpen(
  { db, schemaHas }: Context,
  whose: Owner,
  calls: Call[],
): Promise<OpenReason | false> {
  if (calls.some(({ recording_url }) => recording_url)) return false
  const account = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where(ownedBy('accounts', whose))
    .where('record_all_calls', '=', 1)
    .limit(1)
    .executeTakeFirst()
  const application =
    !account && schemaHas('applications', 'record_all_calls')
      ? await db
          .selectFrom('applications')
          .select('application_sid')
          .where(ownedBy('applications', whose))
          .where('record_all_calls', '=', 1)
          .limit(1)
          .executeTakeFirst()
      : undefined
  if (!account && !application) return 'not_recording'
  return calls.length === 0 ? 'no_call' : 'missing'
}
