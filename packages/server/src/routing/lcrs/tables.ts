import { randomUUID } from 'node:crypto'
import {
  defaultRouteOf,
  type Issue,
  type LcrEntryIn,
  type LcrRoute,
  type LcrView,
  lcrs,
  SYSTEM_DEFAULT_ROUTE,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { invalid } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as tables from './queries.ts'

type ActorContext = Actor & { ctx: Context }
export type Owner = { account_sid: string | null; service_provider_sid: string | null }
type Entry = LcrEntryIn
export type RouteIn = {
  lcr_route_sid?: string | undefined
  regex: string
  description?: string | null | undefined
  priority?: number | undefined
  lcr_carrier_set_entries: Entry[]
}

/**
 * A table is audited as one subject with its routes and their carriers. All table changes queue with each
 * other, since an owner may have only one.
 */
export const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'lcr' as const,
  sid,
  view: lcrs.view,
  lock: 'lcrs',
  read: (tx: Db) => tables.view(tx, scope, sid),
})

/**
 * Changes part of a table in the table's transaction. Throws what `absent` returns when there is no table.
 */
export const changingPart = <R>(
  actor: ActorContext,
  lcr_sid: string | undefined,
  absent: () => Error,
  work: (tx: Db, table: LcrView) => Promise<R>,
) => {
  if (!lcr_sid) throw absent()
  const { view: _, ...table } = auditSubject(actor.scope, lcr_sid)
  return audited(actor, table, (tx, before) => {
    if (!before) throw absent()
    return work(tx, before)
  })
}

/** The owner whose carriers a table may use: an account's table also uses its provider's. */
export async function ownerOf(db: Db, scope: Scope, table: Owner): Promise<Owner> {
  const { account_sid, service_provider_sid } = table
  const account = account_sid ? await accounts.findVisible(db, scope, account_sid) : undefined
  return {
    account_sid,
    service_provider_sid: account?.service_provider_sid ?? service_provider_sid,
  }
}

type Named = { path: Issue['path']; sid: string }

const carriersIn = (routes: RouteIn[], at: Issue['path']): Named[] =>
  routes.flatMap((r, i) =>
    r.lcr_carrier_set_entries.map((e, j) => ({
      path: [...at, i, 'lcr_carrier_set_entries', j, 'voip_carrier_sid'],
      sid: e.voip_carrier_sid,
    })),
  )

/** Throws 400 for every carrier that the owner's calls cannot use, at its place in the input. */
export async function checkCarriers(
  db: Db,
  scope: Scope,
  owner: Owner,
  named: Named[],
  /** Routes that already have their carriers, which do not block a save. */
  stored: LcrRoute[] = [],
) {
  const known = await carriers.usable(db, scope, owner, [...new Set(named.map((n) => n.sid))])
  for (const entry of stored.flatMap((r) => r.lcr_carrier_set_entries))
    known.add(entry.voip_carrier_sid)
  const issues = named.flatMap(({ path, sid }) =>
    known.has(sid) ? [] : [{ path, message: t('unknown voip_carrier_sid') }],
  )
  if (issues.length > 0) throw invalid(...issues)
}

/** Matches input rows with stored ones: by sid, else by equal content. */
function matchStored<
  K extends string,
  S extends Record<K, unknown>,
  A extends { [P in K]?: unknown },
>(
  stored: readonly S[],
  input: readonly A[],
  sid: K,
  same: (s: S, a: A) => boolean,
): (S | undefined)[] {
  const named = new Set<unknown>(input.map((a) => a[sid]))
  const free = stored.filter((s) => !named.has(s[sid]))
  return input.map((a) => {
    const own: unknown = a[sid]
    if (own) return stored.find((s) => s[sid] === own)
    const i = free.findIndex((s) => same(s, a))
    return i < 0 ? undefined : free.splice(i, 1)[0]
  })
}

/** Throws 400 for sids that do not exist or are named twice. */
function checkSids<K extends string>(
  key: K,
  input: readonly { [P in K]?: string | undefined }[],
  found: readonly unknown[],
  at: Issue['path'],
) {
  const seen = new Set<string>()
  const issues = input.flatMap((a, i) => {
    const sid = a[key]
    const wrong = sid && (!found[i] || seen.has(sid))
    if (sid) seen.add(sid)
    return wrong ? [{ path: [...at, i, key], message: t('unknown {key}', { key }) }] : []
  })
  if (issues.length > 0) throw invalid(...issues)
}

type Saving = {
  db: Db
  scope: Scope
  owner: Owner
  lcr_sid: string
  /** All current routes of the table. */
  stored: LcrRoute[]
  default_entry: string | null
}

/** Saves the routes except the default one. With `whole`, routes that are left out are deleted. */
export async function saveRoutes(
  { db, scope, owner, lcr_sid, stored, default_entry }: Saving,
  routes: RouteIn[],
  { at = [], whole = false }: { at?: Issue['path']; whole?: boolean },
) {
  const last = defaultRouteOf(stored, default_entry)
  const others = stored.filter((r) => r !== last)
  const found = matchStored(others, routes, 'lcr_route_sid', (s, a) => s.regex === a.regex)
  checkSids('lcr_route_sid', routes, found, at)
  await checkCarriers(db, scope, owner, carriersIn(routes, at), stored)
  if (whole)
    await tables.removeRoutes(
      db,
      scope,
      others.filter((r) => !found.includes(r)).map((r) => r.lcr_route_sid),
    )
  for (const [i, route] of routes.entries()) {
    const { regex, description, priority = i } = route
    const known = found[i]
    const lcr_route_sid = known?.lcr_route_sid ?? randomUUID()
    const columns = definedFields({ regex, description, priority })
    if (known) await tables.updateRoute(db, scope, lcr_route_sid, columns)
    else await tables.insertRoute(db, { lcr_route_sid, lcr_sid, ...columns })
    await saveEntries(db, scope, lcr_route_sid, known?.lcr_carrier_set_entries ?? [], route, [
      ...at,
      i,
    ])
  }
}

/** Saves the carriers of a route. */
async function saveEntries(
  db: Db,
  scope: Scope,
  lcr_route_sid: string,
  stored: LcrRoute['lcr_carrier_set_entries'],
  { lcr_carrier_set_entries: entries }: RouteIn,
  at: Issue['path'],
) {
  const found = matchStored(
    stored,
    entries,
    'lcr_carrier_set_entry_sid',
    (s, a) => s.voip_carrier_sid === a.voip_carrier_sid,
  )
  checkSids('lcr_carrier_set_entry_sid', entries, found, [...at, 'lcr_carrier_set_entries'])
  for (const entry of stored)
    if (!found.includes(entry)) await tables.removeEntry(db, scope, entry.lcr_carrier_set_entry_sid)
  for (const [j, entry] of entries.entries()) {
    const { lcr_carrier_set_entry_sid: _, priority = j, ...rest } = entry
    const known = found[j]
    const columns = definedFields({ ...rest, priority })
    if (known) await tables.updateEntry(db, scope, known.lcr_carrier_set_entry_sid, columns)
    else
      await tables.insertEntry(db, {
        lcr_carrier_set_entry_sid: randomUUID(),
        lcr_route_sid,
        ...columns,
      })
  }
}

/** Saves the default route, its one carrier, and the table's reference to it. */
export async function saveDefault(
  { db, scope, owner, lcr_sid, stored, default_entry }: Saving,
  voip_carrier_sid: string,
  path: Issue['path'],
) {
  await checkCarriers(db, scope, owner, [{ path, sid: voip_carrier_sid }], stored)
  const last = defaultRouteOf(stored, default_entry)
  const lcr_route_sid = last?.lcr_route_sid ?? randomUUID()
  if (!last) await tables.insertRoute(db, { lcr_route_sid, lcr_sid, ...SYSTEM_DEFAULT_ROUTE })
  const [entry] = last?.lcr_carrier_set_entries ?? []
  const sid = entry?.lcr_carrier_set_entry_sid ?? randomUUID()
  if (entry) await tables.updateEntry(db, scope, sid, { voip_carrier_sid })
  else
    await tables.insertEntry(db, {
      lcr_carrier_set_entry_sid: sid,
      lcr_route_sid,
      voip_carrier_sid,
    })
  if (sid !== default_entry)
    await tables.update(db, lcr_sid, { default_carrier_set_entry_sid: sid })
}

/** The state that a save starts from. */
export const saving = async (
  db: Db,
  scope: Scope,
  table: Owner & { lcr_sid: string; default_carrier_set_entry_sid?: string | null },
): Promise<Saving> => ({
  db,
  scope,
  owner: await ownerOf(db, scope, table),
  lcr_sid: table.lcr_sid,
  stored: await tables.routes(db, table.lcr_sid),
  default_entry: table.default_carrier_set_entry_sid ?? null,
})

/** Saves routes as older clients send them: changed, new, and maybe the default one, in one list. */
export async function saveBatch(db: Db, scope: Scope, table: LcrView, batch: RouteIn[]) {
  const start = await saving(db, scope, table)
  const isDefault = (r: RouteIn) => r.priority === SYSTEM_DEFAULT_ROUTE.priority
  const ordinary = batch.filter((r) => !isDefault(r))
  await saveRoutes(start, ordinary, {})
  const at = batch.findLastIndex(isDefault)
  if (at < 0) return
  const entries = batch[at]!.lcr_carrier_set_entries
  const path = [at, 'lcr_carrier_set_entries', entries.length - 1, 'voip_carrier_sid']
  await saveDefault(start, entries.at(-1)!.voip_carrier_sid, path)
}
