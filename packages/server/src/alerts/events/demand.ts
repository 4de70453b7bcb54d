import { EVENT_TYPES, type EventKind } from '@switchroom/contract'
import { skipExisting } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import type { Draft } from './outbox.ts'

/** Events are kept for somebody who has read `/Events` for this long. */
const READER_MS = 24 * 3_600_000
/** How often a reader is noted. */
const NOTE_MS = 60_000

/** Who wants events: an account, a provider, or (empty) administrators; and since when. */
export type Wish = {
  owner: string
  is: 'admin' | 'service_provider' | 'account'
  since: number
  /** The newest entry of the audit log at that time. */
  audit_seq: number
  kinds: readonly EventKind[]
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
  return readers.map(({ owner, since, audit_seq }) => ({
    owner,
    is: owner === '' ? 'admin' : isAccount.has(owner) ? 'account' : 'service_provider',
    since: Number(since),
    audit_seq: Number(audit_seq),
    kinds: EVENT_TYPES,
  }))
}

type About = Pick<Draft, 'kind' | 'account_sid' | 'service_provider_sid'>

/** Whether an event is of those that somebody wants. */
export const isOf = (
  { owner, is, kinds }: Pick<Wish, 'owner' | 'is' | 'kinds'>,
  { kind, account_sid, service_provider_sid }: About,
) =>
  kinds.includes(kind) &&
  (is === 'admin'
    ? // an account's own inbox is nobody else's
      account_sid === null || service_provider_sid !== null
    : owner === (is === 'account' ? account_sid : service_provider_sid))

export const isWanted = (
  all: readonly Wish[],
  event: About,
  /** Milliseconds, or its place in the audit log. */
  when: { at: number } | { audit_seq: number },
) =>
  all.some(
    (wish) =>
      isOf(wish, event) && ('at' in when ? when.at >= wish.since : when.audit_seq > wish.audit_seq),
  )

export const isAnyWanted = (all: readonly Wish[], ...kinds: EventKind[]) =>
  all.some((wish) => kinds.some((kind) => wish.kinds.includes(kind)))
