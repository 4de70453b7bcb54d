import { EVENT_TYPES, type EventKind } from '@switchroom/contract'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import type { Draft } from './draft.ts'

/** Events are kept for somebody who has read `/Events` for this long. */
const READER_MS = 24 * 3_600_000
/** Interval at which a reader is noted. */
const NOTE_MS = 60_000

/** Demand for events by an account, a provider, or (empty) administrators, since a time. */
export type Wish = {
  owner: string
  is: 'admin' | 'service_provider' | 'account'
  since: number
  /** The newest entry of the audit log at that time. */
  audit_seq: number
  kinds: readonly EventKind[]
  /** The webhook that wants them, if it is not a reader. */
  event_subscription_sid?: string
}

export const ownerOf = (scope: Scope) =>
  scope.role === 'account'
    ? scope.account_sid
    : scope.role === 'service_provider'
      ? scope.service_provider_sid
      : ''

/** The newest entry of the audit log. */
export const auditSeq = async (db: Db) =>
  (await db.selectFrom('switchroom_audit_head').select('seq').executeTakeFirst())?.seq ?? 0

/** Notes that somebody reads, so that events are gathered. */
export async function noteReader(db: Db, scope: Scope, now: number) {
  const owner = ownerOf(scope)
  const known = await db
    .selectFrom('switchroom_event_readers')
    .select('read_at')
    .where('owner', '=', owner)
    .executeTakeFirst()
  if (known && Math.abs(now - Number(known.read_at)) < NOTE_MS) return
  const isGone = !known || Number(known.read_at) < now - READER_MS
  const begun = { since: now, audit_seq: Number(await auditSeq(db)) }
  if (!known)
    await db
      .insertInto('switchroom_event_readers')
      .values({ owner, ...begun, read_at: now })
      .$call(skipExisting(db))
      .execute()
  else
    await db
      .updateTable('switchroom_event_readers')
      .set({ read_at: now, ...(isGone && begun) })
      .where('owner', '=', owner)
      .execute()
}

/** Everyone for whom events are gathered. */
export async function wishes(db: Db, now: number): Promise<Wish[]> {
  const readers = await db
    .selectFrom('switchroom_event_readers')
    .selectAll()
    .where('read_at', '>=', now - READER_MS)
    .execute()
  const owners = readers.map(({ owner }) => owner)
  const accounts = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('account_sid', 'in', [...owners, ''])
    .execute()
  const isAccount = new Set(accounts.map(({ account_sid }) => account_sid))
  return [
    ...readers.map(
      ({ owner, since, audit_seq }): Wish => ({
        owner,
        is: owner === '' ? 'admin' : isAccount.has(owner) ? 'account' : 'service_provider',
        since: Number(since),
        audit_seq: Number(audit_seq),
        kinds: EVENT_TYPES,
      }),
    ),
    ...(await activeSubscriptions(db)),
  ]
}

async function activeSubscriptions(db: Db): Promise<Wish[]> {
  const rows = await db
    .selectFrom('switchroom_event_subscriptions')
    .select(['event_subscription_sid', 'account_sid', 'service_provider_sid'])
    .select(['since', 'audit_seq', 'kinds'])
    .where('is_active', '=', 1)
    .execute()
  return rows.map((row) => ({
    owner: row.account_sid ?? row.service_provider_sid ?? '',
    is: row.account_sid ? 'account' : 'service_provider',
    since: Number(row.since),
    audit_seq: Number(row.audit_seq),
    kinds: typesIn(row),
    event_subscription_sid: row.event_subscription_sid,
  }))
}

/** The types of events that a webhook is sent. */
export function typesIn({ kinds }: { kinds: string }): readonly EventKind[] {
  const types: EventKind[] = JSON.parse(kinds)
  return types.length > 0 ? types : EVENT_TYPES
}

/** True if a subscriber may see an event, and wants its kind. */
export const isOf = (
  { owner, is, kinds }: Pick<Wish, 'owner' | 'is' | 'kinds'>,
  { kind, account_sid, service_provider_sid }: Draft,
) =>
  kinds.includes(kind) &&
  (is === 'admin'
    ? // an account's own inbox is nobody else's
      account_sid === null || service_provider_sid !== null
    : owner === (is === 'account' ? account_sid : service_provider_sid))

/** True if it happened after the subscription began: by its place in the audit log, which depends on no clock. */
const isAfter = (wish: Wish, { data, happened_at }: Draft) =>
  'audit_seq' in data ? data.audit_seq > wish.audit_seq : Date.parse(happened_at) >= wish.since

export const wants = (wish: Wish, draft: Draft) => isOf(wish, draft) && isAfter(wish, draft)

export const isWanted = (all: readonly Wish[], draft: Draft) =>
  all.some((wish) => wants(wish, draft))

export const isAnyWanted = (all: readonly Wish[], ...kinds: EventKind[]) =>
  all.some((wish) => kinds.some((kind) => wish.kinds.includes(kind)))
