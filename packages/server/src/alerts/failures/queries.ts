import {
  type Failure,
  type FailureState,
  type PageQuery,
  prefixText,
  type Rerouted,
  searchText,
  sipStatusesNamed,
} from '@switchroom/contract'
import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { matchesFilter, type Shown } from '../../http/search.ts'
import { type OwnerQuery, ownedBy } from '../../http/tenancy.ts'
import type { TrunkFilter } from '../../stores/calls/store.ts'
import { type Content, lastHours, readContent } from './content.ts'
import { type Names, namesFor } from './names.ts'

type Table = Tables['switchroom_failures']
export type Row = Selectable<Table>

export type Filters = OwnerQuery & {
  filter?: string | undefined
  state?: 'open' | 'muted' | 'resolved' | undefined
  trunk?: string | undefined
}

/** Resolved failures are stored in a word that servers of earlier versions know. */
export function stateOf({ state, rerouted }: Pick<Row, 'state' | 'rerouted'>): FailureState {
  if (state === 'mended') return 'resolved'
  return state !== 'muted' && readRerouted(rerouted)?.worked === null ? 'watched' : state
}
export const storedState = (state: 'open' | 'muted' | 'resolved'): Row['state'] =>
  state === 'resolved' ? 'mended' : state

export const readRerouted = (json: string | null): Rerouted | null =>
  json === null ? null : (JSON.parse(json) as Rerouted)

/** An account its own; a provider its own and those of its accounts. */
const inScope = (scope: Scope) => ownedBy('switchroom_failures', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('switchroom_failures').where(inScope(scope))

/** One inbox: an account's, or without one those of providers, which have the calls of their accounts. */
function inbox(db: Db, scope: Scope, { account_sid, service_provider_sid }: OwnerQuery) {
  let rows = visible(db, scope)
  if (account_sid) rows = rows.where('switchroom_failures.account_sid', '=', account_sid)
  else if (scope.role !== 'account')
    rows = rows.where('switchroom_failures.account_sid', 'is', null)
  return service_provider_sid
    ? rows.where(ownedBy('switchroom_failures', { service_provider_sid }))
    : rows
}

const inState = (state: NonNullable<Filters['state']>) =>
  state === 'open'
    ? sql<SqlBool>`switchroom_failures.state in ('open', 'returned')`
    : sql<SqlBool>`switchroom_failures.state = ${storedState(state)}`

/** What finds a failure. Users above the caller have no name. */
const shown = (scope: Scope): Shown => ({
  sid: 'switchroom_failures.failure_sid',
  names: ['switchroom_failures.trunk', 'switchroom_failures.reason'],
  numbers: ['switchroom_failures.prefix'],
  beside: [
    {
      rows: sql`users where users.user_sid = switchroom_failures.assigned_to and ${ownedBy('users', scope)}`,
      names: ['users.name'],
    },
  ],
})

/** Finds failures by their text and their status, of which they show the name too. */
function matches(db: Db, scope: Scope, typed: string) {
  const { digits } = searchText(typed)
  const statuses = digits ? [Number(digits.slice(0, 9))] : sipStatusesNamed(typed)
  const byText = matchesFilter(db, shown(scope), typed)
  return statuses.length > 0
    ? sql<SqlBool>`(${byText} or switchroom_failures.sip_status in (${sql.join(statuses)}))`
    : byText
}

function matching(db: Db, scope: Scope, query: Filters) {
  let rows = inbox(db, scope, query)
  if (query.state) rows = rows.where(inState(query.state))
  if (query.trunk) rows = rows.where('switchroom_failures.trunk', '=', query.trunk)
  if (query.filter) rows = rows.where(matches(db, scope, query.filter))
  return rows
}

export const list = (db: Db, scope: Scope, query: Pick<PageQuery, 'sort'> & Filters) =>
  listing({
    db,
    table: 'switchroom_failures',
    sid: 'failure_sid',
    sortable: ['last_at', 'calls', 'first_at'],
    query: { sort: query.sort ?? '-last_at' },
    matching: matching(db, scope, query),
    rows: db.selectFrom('switchroom_failures').selectAll('switchroom_failures'),
    present: async (rows: Row[]) => present(db, scope, rows),
  })

/** All of one inbox, of which it has a limited number. */
export const all = (db: Db, scope: Scope, owner: OwnerQuery): Promise<Row[]> =>
  inbox(db, scope, owner).selectAll('switchroom_failures').execute()

/** The rows that are open since a time, of the inboxes that have the calls of these carriers. */
export const openOf = (
  db: Db,
  scope: Scope,
  trunks: readonly TrunkFilter[],
  since: string,
): Promise<Row[]> => {
  const accounts = trunks.flatMap((t) => t.account_sid ?? [])
  const providers = trunks.flatMap((t) => (t.account_sid ? [] : (t.service_provider_sid ?? [])))
  const isOfAll = trunks.some((t) => !t.account_sid && !t.service_provider_sid)
  return (
    visible(db, scope)
      .selectAll()
      .where('last_at', '>=', since)
      .where(inState('open'))
      // an empty list is no SQL, and empty texts are nobody's
      .where('trunk', 'in', [...new Set(trunks.map((t) => t.trunk)), ''])
      .where((eb) =>
        eb.or([
          eb('account_sid', 'in', [...new Set(accounts), '']),
          eb.and([
            eb('account_sid', 'is', null),
            ...(isOfAll ? [] : [eb('service_provider_sid', 'in', [...new Set(providers), ''])]),
          ]),
        ]),
      )
      .orderBy('last_at', 'desc')
      .execute()
  )
}

/** The carriers' names of an inbox's failures that are open since a time. */
export const openTrunks = async (db: Db, scope: Scope, owner: OwnerQuery, since: string) =>
  (
    await inbox(db, scope, owner)
      .select('trunk')
      .distinct()
      .where('last_at', '>=', since)
      .where(inState('open'))
      .where('trunk', 'is not', null)
      .execute()
  ).flatMap(({ trunk }) => trunk ?? [])

/** Undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  visible(db, scope).selectAll().where('failure_sid', '=', sid).executeTakeFirst()

export async function view(db: Db, scope: Scope, sid: string): Promise<Failure | undefined> {
  const row = await find(db, scope, sid)
  return row && (await present(db, scope, [row]))[0]
}

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Table>) =>
  db
    .updateTable('switchroom_failures')
    .set(change)
    .where('failure_sid', '=', sid)
    .where(inScope(scope))
    .execute()

export async function present(db: Db, scope: Scope, rows: Row[]): Promise<Failure[]> {
  const read = rows.map((row) => ({ row, content: readContent(row.content) }))
  const names = await namesFor(db, scope, read)
  const now = Date.now()
  return read.map(({ row, content }) => {
    const assignee = row.assigned_to === null ? undefined : names.users.get(row.assigned_to)
    return {
      failure_sid: row.failure_sid,
      account_sid: row.account_sid,
      service_provider_sid: row.service_provider_sid,
      direction: row.direction,
      trunk: row.trunk,
      sip_status: row.sip_status,
      reason: row.reason,
      prefix: row.prefix,
      state: stateOf(row),
      muted_until: row.muted_until,
      resolved_at: row.mended_at,
      // who was deleted does not see to it any more
      assigned_to: assignee === undefined ? null : row.assigned_to,
      assignee: assignee ?? null,
      carrier: names.carrierOf(row) ?? null,
      rerouted: readRerouted(row.rerouted),
      figures: figuresOf(row, content, names, now),
    }
  })
}

function figuresOf(row: Row, content: Content, names: Names, now: number): Failure['figures'] {
  const { accounts, applications, callers } = content
  const most = (hits: Content['accounts']) => Object.entries(hits.by).sort((a, b) => b[1] - a[1])
  const named = (hits: Content['accounts'], of: Map<string, string>) =>
    most(hits).map(([sid, calls]) => ({ sid, name: of.get(sid) ?? null, calls }))
  return {
    calls: Number(row.calls),
    first_at: row.first_at,
    last_at: row.last_at,
    hours: lastHours(content, now),
    accounts: named(accounts, names.accounts),
    applications: named(applications, names.applications),
    callers: most(callers).map(([prefix, calls]) => ({ prefix: prefixText(prefix), calls })),
    others: {
      accounts: accounts.others,
      applications: applications.others,
      callers: callers.others,
    },
    samples: content.samples,
  }
}
