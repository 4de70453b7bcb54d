import {
  type ApiKeyKind,
  EVENT_KINDS,
  EVENT_TYPES,
  type EventKind,
  type ProgramEvent,
} from '@switchroom/contract'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

export type Row = Selectable<Tables['switchroom_events']>

export const idOf = (seq: number) => `evt_${seq}`
/** The place of an event in the sequence; undefined if the text is no id. */
export const seqOf = (id: string | undefined) => {
  const digits = /^evt_(\d{1,15})$/.exec(id ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** An event as the API sends it. */
export const sent = (row: Row): ProgramEvent =>
  ({
    id: idOf(Number(row.seq)),
    type: row.kind,
    timestamp: row.happened_at,
    account_sid: row.account_sid,
    service_provider_sid: row.service_provider_sid,
    data: JSON.parse(row.data),
  }) as ProgramEvent

/** The inbox of an account is its own: to those above it, its provider's has the same issues. */
const nobodysOwnInbox = sql<boolean>`(account_sid is null or service_provider_sid is not null)`

/** Events that the caller may see: an account its own, a provider its own and those of its accounts. */
export const visible = (db: Db, scope: Scope) => {
  const rows = db.selectFrom('switchroom_events').where(ownedBy('switchroom_events', scope))
  return scope.role === 'admin' ? rows.where(nobodysOwnInbox) : rows
}

/** Event types that a caller may receive: a key that is limited to kinds gets only those they cover. */
export const typesOf = (
  { key_limits }: Pick<Scope, 'key_limits'>,
  wanted: readonly EventKind[] = EVENT_TYPES,
) => {
  const kinds: readonly ApiKeyKind[] | null = key_limits?.kinds ?? null
  return wanted.filter((type) => !kinds || kinds.includes(EVENT_KINDS[type].covered_by))
}

export type Filters = {
  types?: readonly EventKind[] | undefined
  account_sid?: string | undefined
  limit: number
}

function matching(db: Db, scope: Scope, { types, account_sid }: Filters) {
  const allowed = typesOf(scope, types)
  let rows = visible(db, scope).selectAll()
  if (account_sid) rows = rows.where('account_sid', '=', account_sid)
  if (allowed.length < EVENT_TYPES.length)
    rows = rows.where('kind', 'in', [...allowed, '' as EventKind])
  return rows
}

/** The next events after this one, oldest first. */
export const after = (db: Db, scope: Scope, filters: Filters, seq: number): Promise<Row[]> =>
  matching(db, scope, filters).where('seq', '>', seq).orderBy('seq').limit(filters.limit).execute()

/** The newest events, oldest first. */
export const newest = async (db: Db, scope: Scope, filters: Filters): Promise<Row[]> =>
  (
    await matching(db, scope, filters).orderBy('seq', 'desc').limit(filters.limit).execute()
  ).reverse()

/** Position of a reader who read these rows when `head` was the newest event of all. */
export function readUntil(rows: readonly Row[], { limit }: Filters, head: number) {
  const last = Number(rows.at(-1)?.seq ?? 0)
  return rows.length === limit ? last : Math.max(last, head)
}

/** The place of the newest event of all; 0 before there is any. */
export const headSeq = async (db: Db) =>
  Number((await db.selectFrom('switchroom_event_watch').select('seq').executeTakeFirst())?.seq ?? 0)
