import {
  type AuditEntry,
  type AuditKind,
  type ChangeEntries,
  entriesOf,
  type PageQuery,
} from '@switchroom/contract'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import { listing } from '../db/listing.ts'
import type { Db, Tables } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { contains, containsSpelled, hasSid } from '../http/search.ts'
import { ownedBy } from '../http/tenancy.ts'

/** Entries that the caller may read: admins all, others those of their own provider or account. */
const inScope = (scope: Scope) => ownedBy('switchroom_audit', scope)

const RANK = { admin: 2, service_provider: 1, account: 0 } as const

type Query = Pick<PageQuery, 'filter' | 'sort'> & {
  kind?: AuditKind | undefined
  action?: AuditEntry['action'] | undefined
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
  user_sid?: string | undefined
  sid?: string | undefined
  seq?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

export function list(db: Db, scope: Scope, query: Query) {
  const { kind, action, account_sid, service_provider_sid, user_sid, sid, seq } = query
  let matching = db
    .selectFrom('switchroom_audit')
    .where(inScope(scope))
    // undefined ones are left out
    .where((eb) => eb.and({ kind, action, account_sid, service_provider_sid, user_sid, sid, seq }))
  // ISO times sort as text
  if (query.from) matching = matching.where('at', '>=', query.from)
  // U sorts after the T of a day's times, and anything after a time sorts after that time
  if (query.to) matching = matching.where('at', '<', `${query.to}U`)
  const { filter } = query
  if (filter) {
    const bySid = hasSid('switchroom_audit.sid', filter)
    // of those above, the address is hidden
    const below = entriesOf(RANK).flatMap(([role, rank]) => (rank <= RANK[scope.role] ? role : []))
    matching = matching.where((eb) =>
      eb.or([
        containsSpelled(db, 'switchroom_audit.name', filter),
        containsSpelled(db, 'switchroom_audit.actor', filter),
        ...(bySid ? [bySid] : []),
        eb('switchroom_audit.request_id', '=', filter),
        eb.and([eb('actor_scope', 'in', below), contains('switchroom_audit.ip', filter)]),
      ]),
    )
  }
  return listing({
    db,
    table: 'switchroom_audit',
    sid: 'seq',
    sortable: ['seq'],
    query: { sort: query.sort ?? '-seq' },
    matching,
    rows: db.selectFrom('switchroom_audit').selectAll(),
    present: (rows) => rows.map((row) => shown(scope, row)),
  })
}

type Row = Selectable<Tables['switchroom_audit']>

const shown = (scope: Scope, { before_values, after_values, ...row }: Row): AuditEntry => ({
  ...row,
  ip: RANK[row.actor_scope] > RANK[scope.role] ? null : row.ip,
  before: before_values === null ? null : JSON.parse(before_values),
  after: after_values === null ? null : JSON.parse(after_values),
})

/**
 * The entries among a few that the caller may read. If its scope came first, SQLite would read all of its provider's.
 */
async function among(
  db: Db,
  scope: Scope,
  near: SelectQueryBuilder<Tables, 'switchroom_audit', Row>,
): Promise<AuditEntry[]> {
  const few = near.as('switchroom_audit')
  const rows = await db.selectFrom(few).selectAll().where(inScope(scope)).execute()
  return rows.map((row) => shown(scope, row)).sort((a, b) => a.seq - b.seq)
}

/** Most changes of one subject that are read. Facts known only from others stay unknown. */
const NEAR_MAX = 1_000

/** The entries of one thing around a time: up to it, newest first; after it, oldest first. */
export async function entriesAround(
  db: Db,
  scope: Scope,
  { kind, sid, at }: { kind: AuditKind; sid: string; at: string },
) {
  const read = (side: '<=' | '>') =>
    among(
      db,
      scope,
      db
        .selectFrom('switchroom_audit')
        .selectAll()
        .where('sid', '=', sid)
        .where('kind', '=', kind)
        .where('at', side, at)
        .orderBy('seq', side === '>' ? 'asc' : 'desc')
        .limit(NEAR_MAX),
    )
  return { until: (await read('<=')).reverse(), after: await read('>') }
}

/** The resources among these that are deleted, with their last names. An undone deletion adds a resource again. */
export async function deletedAmong(db: Db, scope: Scope, sids: readonly string[]) {
  const entries = await among(
    db,
    scope,
    db
      .selectFrom('switchroom_audit')
      .selectAll()
      .where('sid', 'in', sids)
      .where('action', 'in', ['create', 'delete'])
      .limit(NEAR_MAX),
  )
  const last = new Map(entries.map((e) => [e.sid, e]))
  return [...last.values()]
    .filter(({ action }) => action === 'delete')
    .map(({ sid, kind, name }) => ({ sid, kind, name }))
}

/** All entries of one change, in their order; none unless it begins and ends with these and the caller may read them all. */
export async function entriesOfChange(
  db: Db,
  scope: Scope,
  { first, last }: ChangeEntries,
): Promise<AuditEntry[]> {
  const count = last - first + 1
  const near = db
    .selectFrom('switchroom_audit')
    .selectAll()
    .where('seq', '>=', first - 1)
    .where('seq', '<=', last + 1)
    .orderBy('seq')
    .limit(count + 2)
  const entries = await among(db, scope, near)
  const request = entries.find((e) => e.seq === first)?.request_id
  const its = entries.filter((e) => e.request_id === request)
  return its.length === count && its[0]?.seq === first ? its : []
}
