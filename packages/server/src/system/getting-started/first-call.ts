import type { FirstCall } from '@switchroom/contract'
import { sql } from 'kysely'
import { ladderOf } from '../../calls/captures/ladder.ts'
import { findCapture } from '../../calls/captures/queries.ts'
import { accountNames } from '../../calls/live-calls/queries.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Owner } from '../../stores/calls/store.ts'

/** Later than any record. */
const EVER = 8.64e15
/** Of components' clocks, which write when a call began. */
const CLOCKS_MS = 60_000
const HOUR_MS = 3_600_000

type Seen = Omit<FirstCall, 'ladder' | 'is_answered'> & {
  call_id: string | null
  answered: boolean
}

/**
 * The newest call of an owner that began after a time: as the platform knows it while it lasts, by its record when it
 * has ended. Administrators also see one that only its SIP announces, to a number of the owner: captures have no owner,
 * so nobody else may.
 */
export async function firstCall(
  ctx: Context,
  scope: Scope,
  owner: Owner,
  since: number,
): Promise<FirstCall | null> {
  const seen =
    (await liveCall(ctx, scope, owner, since)) ??
    (await recordedCall(ctx, owner, since)) ??
    (scope.role === 'admin' ? await announcedCall(ctx, owner, since) : undefined)
  if (!seen) return null
  const { call_id, answered, ...call } = seen
  const ladder = call_id ? await ladderSince(ctx, owner, call_id, since) : null
  const bye = ladder?.ending ?? null
  return {
    ...call,
    is_answered:
      answered ||
      (ladder?.messages.some(({ method, status }) => method === 'INVITE' && status === 200) ??
        false),
    has_ended: call.has_ended || bye !== null,
    ladder,
  }
}

async function ladderSince(ctx: Context, owner: Owner, call_id: string, since: number) {
  const span = { from: since - HOUR_MS, to: Date.now() + HOUR_MS }
  const { capture } = await findCapture(ctx, { owner, wanted: { call_id, kind: 'call', ...span } })
  const ladder = ladderOf(capture, call_id)
  return ladder.messages.length > 0 ? ladder : null
}

async function liveCall(
  { db, state }: Context,
  scope: Scope,
  owner: Owner,
  since: number,
): Promise<Seen | undefined> {
  const { items } = await state.activeCalls()
  const recent = items.filter((call) => call.since >= since - CLOCKS_MS)
  if (recent.length === 0) return undefined
  const sids = recent.map(({ account_sid }) => account_sid)
  const visible = await accountNames(db, scope, sids, owner)
  const call = recent.find(({ account_sid }) => visible.has(account_sid))
  return (
    call && {
      from: call.record.from ?? null,
      to: call.record.to ?? null,
      call_id: call.record.callId ?? null,
      answered: call.record.callStatus === 'in-progress',
      has_ended: false,
      call_sid: null,
      account_sid: call.account_sid,
    }
  )
}

async function recordedCall(
  { stores }: Context,
  { account_sid, service_provider_sid }: Owner,
  since: number,
): Promise<Seen | undefined> {
  const whose = account_sid ? { account_sid } : { service_provider_sid: service_provider_sid! }
  const span = { from: since - CLOCKS_MS, to: EVER }
  const { data } = await stores.calls.list({ ...whose, ...span }, { limit: 1, offset: 0 })
  const [call] = data
  return (
    call && {
      from: call.from,
      to: call.to,
      call_id: call.sip_callid,
      answered: call.answered === true,
      has_ended: true,
      call_sid: call.call_sid,
      account_sid: call.account_sid,
    }
  )
}

async function announcedCall(
  { db, stores }: Context,
  owner: Owner,
  since: number,
): Promise<Seen | undefined> {
  const invites = (await stores.captures.invitesSince?.(since)) ?? []
  const digits = (to: string | null) => to?.replace(/^\+/, '') ?? ''
  const dialed = [...new Set(invites.map(({ to }) => digits(to)))].filter((n) => n !== '')
  if (dialed.length === 0) return undefined
  const rows = await db
    .selectFrom('phone_numbers')
    .select('number')
    .where(
      'number',
      'in',
      dialed.flatMap((n) => [n, `+${n}`]),
    )
    .where(ownedBy('phone_numbers', owner))
    .where(sql<boolean>`application_sid is not null`)
    .execute()
  const own = new Set(rows.map(({ number }) => digits(number)))
  const invite = invites.find(({ to }) => own.has(digits(to)))
  return (
    invite && {
      from: invite.from,
      to: invite.to,
      call_id: invite.call_id,
      answered: false,
      has_ended: false,
      call_sid: null,
      account_sid: null,
    }
  )
}
