import { NO_CAPTURE } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { Failure } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import { callOf, callsOwner } from '../recent-calls/queries.ts'
import * as sipGateways from '../sip-gateways/queries.ts'
import type { Owner } from '../stores/calls.ts'
import type { Capture, Captured, Wanted } from '../stores/captures.ts'
import * as carriers from '../voip-carriers/queries.ts'

/** Components send before a call is a call, and repeat themselves after it. */
const AROUND_MS = 60_000
/**
 * How far the clock of whoever captures may be from that of whoever writes calls. A machine that lost its time
 * server is off by seconds a day, so by an hour after months; more is a fault that shows everywhere else. Asked only
 * where the call's beginning is not found in its own time: the Call-ID of a call may be somebody else's an hour later.
 */
const CLOCKS_MS = 3_600_000
/** Of a call that has not been seen to end. */
const LONGEST_MS = 86_400_000
const REGISTRATIONS_MS = 7 * 86_400_000

const none = () => new Failure('not_found', NO_CAPTURE)
const unlessNotThere = (e: unknown) => {
  if (e instanceof Failure && e.code === 'not_found') return undefined
  throw e
}

/**
 * A capture knows no tenant: what a caller may have of this Call-ID is the call of that id that he may see,
 * while it lasted, or the registrations of a gateway that he may see. Throws 404 for anything else.
 */
export async function wantedOf(
  ctx: Pick<Context, 'db' | 'stores'>,
  scope: Scope,
  named: Owner,
  call_id: string,
  kinds: readonly Wanted['kind'][] = ['call', 'registration'],
): Promise<Wanted> {
  const owner = await callsOwner(ctx, scope, named)
  const call =
    kinds.includes('call') &&
    (await callOf(ctx, scope, { sip_callid: call_id }, named).catch(unlessNotThere))
  if (call) {
    const begun = Date.parse(call.attempted_at)
    const ended = call.terminated_at ? Date.parse(call.terminated_at) : begun + LONGEST_MS
    return { call_id, kind: 'call', from: begun - AROUND_MS, to: ended + AROUND_MS }
  }
  const isSeen = kinds.includes('registration') && (await isGateway(ctx, scope, owner, call_id))
  if (!isSeen) throw none()
  const now = Date.now()
  return { call_id, kind: 'registration', from: now - REGISTRATIONS_MS, to: now + CLOCKS_MS }
}

/** Each call begins with one; without it, the clocks may differ by more than the time around the call. */
const isInvite = ({ bytes }: Captured) => Buffer.from(bytes.subarray(0, 7)).toString() === 'INVITE '

/** The same, or a wider time where that holds a call's beginning and its own does not; and what is in it. */
export async function searched(
  { stores }: Pick<Context, 'stores'>,
  wanted: Wanted,
): Promise<{ wanted: Wanted; capture: Capture }> {
  const capture = await stores.captures.find(wanted)
  if (wanted.kind !== 'call' || capture.messages.some(isInvite)) return { wanted, capture }
  const wider = { ...wanted, from: wanted.from - CLOCKS_MS, to: wanted.to + CLOCKS_MS }
  const more = await stores.captures.find(wider)
  return more.messages.length > capture.messages.length
    ? { wanted: wider, capture: more }
    : { wanted, capture }
}

/** Whether this is a gateway that the caller sees, and whose carrier the owner named in the path uses. */
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
