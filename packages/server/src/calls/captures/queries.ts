import { type Call, NO_CAPTURE } from '@switchroom/contract'
import * as sipGateways from '../../carriers/sip-gateways/queries.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Owner } from '../../stores/calls/store.ts'
import type { Capture, Captured, Wanted } from '../../stores/sip/store.ts'
import { callsOwner } from '../recent-calls/queries.ts'

/** Messages arrive before a call's record begins and after it ends. */
const MARGIN_MS = 60_000
/**
 * How far the capture agent's clock may differ from the one that writes call records. Without a time
 * server, clocks drift by seconds a day, so by an hour in months. Searched only if the call's own
 * time span contains no INVITE, because a Call-ID may be reused.
 */
const MAX_CLOCK_SKEW_MS = 3_600_000
/** How far to search for a call without an end time. */
const OPEN_CALL_MS = 86_400_000
/** How far back registrations are searched. */
const REGISTRATIONS_MS = 7 * 86_400_000

/**
 * Query for the messages of a Call-ID that the caller may read: a visible call with that id or a leg with it, for its
 * duration, or registrations of a visible gateway. Captures have no owner. Throws 404 otherwise.
 */
export async function captureQuery(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  requestedOwner: Owner,
  call_id: string,
  kinds: readonly Wanted['kind'][] = ['call', 'registration'],
): Promise<CaptureQuery> {
  const owner = await callsOwner(ctx, scope, requestedOwner)
  const isCall = kinds.includes('call')
  const call = isCall && (await ctx.stores.calls.find(owner, { sip_callid: call_id }))
  if (call) return searchForCallAndLegs(ctx, owner, call, call_id)
  const isGatewayId =
    kinds.includes('registration') && (await isGateway(ctx, scope, owner, call_id))
  if (isGatewayId) {
    const now = Date.now()
    const span = { from: now - REGISTRATIONS_MS, to: now + MAX_CLOCK_SKEW_MS }
    return { owner, wanted: { call_id, kind: 'registration', ...span } }
  }
  if (!isCall) throw new Failure('not_found', NO_CAPTURE)
  const { callOfLeg } = await loadLegs()
  const parentCall = await callOfLeg(ctx, owner, call_id)
  if (!parentCall) throw new Failure('not_found', NO_CAPTURE)
  return searchForCallAndLegs(ctx, owner, parentCall, call_id)
}

// late, as few starts need it
const loadLegs = () => import('../recent-calls/legs.ts')

/** Search for the messages of a call and of the owner's legs that belong to it. */
async function searchForCallAndLegs(
  ctx: Pick<Context, 'stores'>,
  owner: Owner,
  call: Call,
  call_id: string,
): Promise<CaptureQuery> {
  const { callersOf, withMadeFor } = await loadLegs()
  const calls = [call, ...(await callersOf(ctx, owner, call))]
  const searches = calls.map((each) => searchForCall(each, call_id))
  const span = {
    from: Math.min(...searches.map(({ from }) => from)),
    to: Math.max(...searches.map(({ to }) => to)),
  }
  const otherCallIds = new Set(calls.flatMap(({ sip_callid }) => sip_callid ?? []))
  otherCallIds.delete(call_id)
  const callOwner = call.account_sid ? { account_sid: call.account_sid } : owner
  const wanted = { call_id, also: [...otherCallIds], kind: 'call', ...span } as const
  return { owner, wanted: await withMadeFor(ctx, callOwner, wanted) }
}

/** Search for the messages of a call, while it lasted. Look the call up within scope first. */
export function searchForCall(
  { attempted_at, terminated_at }: Pick<Call, 'attempted_at' | 'terminated_at'>,
  call_id: string,
): Wanted {
  const start = Date.parse(attempted_at)
  const end = terminated_at ? Date.parse(terminated_at) : start + OPEN_CALL_MS
  return { call_id, kind: 'call', from: start - MARGIN_MS, to: end + MARGIN_MS }
}

/** Each call starts with an INVITE; when it is missing, the clocks may differ. */
const isInvite = ({ bytes }: Captured) => Buffer.from(bytes.subarray(0, 7)).toString() === 'INVITE '

/** A search for messages, and the owner they must belong to. */
export type CaptureQuery = { owner: Owner; wanted: Wanted }
type Found = { wanted: Wanted; capture: Capture }

/**
 * The messages of a capture that an owner may see: all but those of other tenants' calls, whatever their messages
 * claim.
 */
export async function findCapture(
  ctx: Pick<Context, 'stores'>,
  { owner, wanted }: CaptureQuery,
): Promise<Found> {
  const found = await findWithin(ctx, wanted)
  const legs = found.capture.messages.map(({ call_id }) => call_id)
  if (wanted.kind !== 'call' || legs.every((id) => id === wanted.call_id)) return found
  const { foreignLegs } = await loadLegs()
  const except = await foreignLegs(ctx, owner, found.wanted, legs)
  if (except.length === 0) return found
  const without = { ...found.wanted, except }
  return { wanted: without, capture: await ctx.stores.captures.find(without) }
}

/** Searches the call's time span, and a wider one when only that holds its INVITE. */
async function findWithin({ stores }: Pick<Context, 'stores'>, wanted: Wanted): Promise<Found> {
  const capture = await stores.captures.find(wanted)
  if (wanted.kind !== 'call' || capture.messages.some(isInvite)) return { wanted, capture }
  const wider = {
    ...wanted,
    from: wanted.from - MAX_CLOCK_SKEW_MS,
    to: wanted.to + MAX_CLOCK_SKEW_MS,
  }
  const more = await stores.captures.find(wider)
  return more.messages.some(isInvite) ? { wanted: wider, capture: more } : { wanted, capture }
}

/** True for the Call-ID of a visible gateway whose carrier the owner in the path uses. */
async function isGateway(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  owner: Owner,
  call_id: string,
): Promise<boolean> {
  const gateway = await sipGateways.find(db, scope, call_id)
  if (!gateway) return false
  const sid = gateway.voip_carrier_sid
  if (owner.account_sid) {
    const account = await db
      .selectFrom('accounts')
      .select(['account_sid', 'service_provider_sid'])
      .where('account_sid', '=', owner.account_sid)
      .executeTakeFirst()
    const usable = account && (await carriers.usable(db, scope, account, [sid]))
    return usable?.has(sid) ?? false
  }
  const { service_provider_sid } = owner
  if (!service_provider_sid) return true
  const providerScope = { ...scope, role: 'service_provider', service_provider_sid } as const
  return (await carriers.find(db, providerScope, sid)) !== undefined
}
