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
const AROUND_MS = 60_000
/**
 * How far the capture agent's clock may differ from the one that writes call records. Without a time
 * server, clocks drift by seconds a day, so by an hour in months. Searched only when the call's INVITE is
 * missing in its own time, because a Call-ID may be reused.
 */
const CLOCKS_MS = 3_600_000
/** How far to search for a call without an end time. */
const LONGEST_MS = 86_400_000
const REGISTRATIONS_MS = 7 * 86_400_000

/**
 * Query for the messages of a Call-ID that the caller may read: a visible call with that id or a leg with it, for its
 * duration, or registrations of a visible gateway. Captures have no owner. Throws 404 otherwise.
 */
export async function captureQuery(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  named: Owner,
  call_id: string,
  kinds: readonly Wanted['kind'][] = ['call', 'registration'],
): Promise<CaptureQuery> {
  const owner = await callsOwner(ctx, scope, named)
  const isCall = kinds.includes('call')
  const call = isCall && (await ctx.stores.calls.find(owner, { sip_callid: call_id }))
  if (call) return captureOfAll(ctx, owner, call, call_id)
  const isVisible = kinds.includes('registration') && (await isGateway(ctx, scope, owner, call_id))
  if (isVisible) {
    const now = Date.now()
    const span = { from: now - REGISTRATIONS_MS, to: now + CLOCKS_MS }
    return { owner, wanted: { call_id, kind: 'registration', ...span } }
  }
  const { callOfLeg } = await loadLegs()
  const belongsTo = isCall && (await callOfLeg(ctx, owner, call_id))
  if (!belongsTo) throw new Failure('not_found', NO_CAPTURE)
  return captureOfAll(ctx, owner, belongsTo, call_id)
}

// late, as few starts need it
const loadLegs = () => import('../recent-calls/legs.ts')

/** The capture of a call with all legs that belong to it and are the owner's. */
async function captureOfAll(
  ctx: Pick<Context, 'stores'>,
  owner: Owner,
  call: Call,
  call_id: string,
): Promise<CaptureQuery> {
  const { callersOf, withMadeFor } = await loadLegs()
  const calls = [call, ...(await callersOf(ctx, owner, call))]
  const times = calls.map((one) => captureOfCall(one, call_id))
  const span = {
    from: Math.min(...times.map(({ from }) => from)),
    to: Math.max(...times.map(({ to }) => to)),
  }
  const also = new Set(calls.flatMap(({ sip_callid }) => sip_callid ?? []))
  also.delete(call_id)
  const whose = call.account_sid ? { account_sid: call.account_sid } : owner
  const wanted = { call_id, also: [...also], kind: 'call', ...span } as const
  return { owner, wanted: await withMadeFor(ctx, whose, wanted) }
}

/** The capture of a call, while it lasted. Look it up within scope first. */
export function captureOfCall(
  { attempted_at, terminated_at }: Pick<Call, 'attempted_at' | 'terminated_at'>,
  call_id: string,
): Wanted {
  const begun = Date.parse(attempted_at)
  const ended = terminated_at ? Date.parse(terminated_at) : begun + LONGEST_MS
  return { call_id, kind: 'call', from: begun - AROUND_MS, to: ended + AROUND_MS }
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
  const wider = { ...wanted, from: wanted.from - CLOCKS_MS, to: wanted.to + CLOCKS_MS }
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
  const of = { ...scope, role: 'service_provider', service_provider_sid } as const
  return (await carriers.find(db, of, sid)) !== undefined
}
