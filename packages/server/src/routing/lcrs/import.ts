import { randomUUID } from 'node:crypto'
import {
  MAX_ENTRIES,
  MAX_ROUTES,
  ROUTE_COLUMNS,
  ROUTE_TAKEN,
  RouteRow,
  SYSTEM_DEFAULT_ROUTE,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { type Bad, exactlyOne, isBad, type NamedRow, namedBy } from '../../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../../imports/spec.ts'
import * as tables from './queries.ts'
import { auditSubject, ownerOf } from './tables.ts'

type Cells = z.output<typeof RouteRow>
type Route = {
  lcr_route_sid: string
  lcr_sid: string
  regex: string
  description: string | null
  priority: number
}
type Entry = {
  lcr_carrier_set_entry_sid: string
  lcr_route_sid: string
  voip_carrier_sid: string
  workload: number
  priority: number
}
/** Further rows of a route only add a carrier. */
type Ready = { route?: Route; entry: Entry }

const LAST_PRIORITY = SYSTEM_DEFAULT_ROUTE.priority - 1

/** A route of the file, the line it begins in, and the lines of its carriers by sid. */
type OpenRoute = { line: number; row: Cells; route: Route; carriers: Map<string, number> }
/** The routes of a file so far, and those of the table they are added to. */
type Progress = {
  lcr_sid: string
  existing: ReadonlySet<string>
  /** Number of routes that the table has room for. */
  remaining: number
  lastPriority: number
  routes: Map<string, OpenRoute>
}

function newRoute(progress: Progress, row: Cells): Route | Bad {
  const { lcr_sid, existing, remaining, lastPriority, routes } = progress
  const { pattern: regex, description = null, priority } = row
  if (existing.has(regex)) return { column: 'pattern', message: ROUTE_TAKEN }
  if (routes.size >= remaining)
    return {
      column: 'pattern',
      message: t('At most {MAX_ROUTES} routes in a table', { MAX_ROUTES }),
    }
  const routePriority = priority ?? lastPriority + 1
  if (routePriority > LAST_PRIORITY)
    return {
      column: 'priority',
      message: t('Priority can be at most {LAST_PRIORITY}', { LAST_PRIORITY }),
    }
  progress.lastPriority = Math.max(lastPriority, routePriority)
  return { lcr_route_sid: randomUUID(), lcr_sid, regex, description, priority: routePriority }
}

/** The route that a row begins, or adds a carrier to. */
function routeOf(progress: Progress, line: number, row: Cells): OpenRoute | Bad {
  const existingRoute = progress.routes.get(row.pattern)
  if (!existingRoute) {
    const route = newRoute(progress, row)
    if (isBad(route)) return route
    const open = { line, row, route, carriers: new Map<string, number>() }
    progress.routes.set(row.pattern, open)
    return open
  }
  // an empty cell repeats the one above
  for (const column of ['description', 'priority'] as const)
    if ((row[column] ?? null) !== null && row[column] !== existingRoute.row[column])
      return {
        column,
        message: t('Differs from line {line} of the same route', { line: existingRoute.line }),
      }
  return existingRoute
}

/** The CSV import of routes into a table, after those that it has. */
export function routeImport(scope: Scope, lcr_sid: string): ImportSpec<Cells, Ready> {
  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const table = await tables.view(tx, scope, lcr_sid)
    if (!table) throw new Failure('not_found', t('No such routing table'))
    const carriersOf = await usableCarriers(tx, scope, table, rows)
    const existing = new Set(table.routes.map((r) => r.regex))
    const progress: Progress = {
      lcr_sid,
      existing,
      remaining: MAX_ROUTES - existing.size,
      lastPriority: Math.max(-1, ...table.routes.map((r) => r.priority)),
      routes: new Map(),
    }
    return rows.map(({ line, row }) => {
      const carrier = exactlyOne(carriersOf(row.carrier), 'carrier')
      if (isBad(carrier)) return carrier
      const open = routeOf(progress, line, row)
      if (isBad(open)) return open
      const before = open.carriers.get(carrier.sid)
      if (before)
        return {
          column: 'carrier',
          message: t('Duplicate of the carrier in line {before}', { before }),
        }
      if (open.carriers.size >= MAX_ENTRIES)
        return { column: 'carrier', message: t('At most {MAX_ENTRIES} carriers', { MAX_ENTRIES }) }
      const entry = {
        lcr_carrier_set_entry_sid: randomUUID(),
        lcr_route_sid: open.route.lcr_route_sid,
        voip_carrier_sid: carrier.sid,
        workload: row.workload ?? 1,
        priority: open.carriers.size,
      }
      open.carriers.set(carrier.sid, line)
      return { ready: { entry, ...(open.line === line && { route: open.route }) } }
    })
  }

  // without `view`: an import only adds routes, whichever version of the table the caller has read
  const { view: _, ...partOf } = auditSubject(scope, lcr_sid)
  return {
    kind: partOf.kind,
    partOf,
    lock: () => partOf.lock,
    columns: ROUTE_COLUMNS,
    row: RouteRow,
    most: MAX_ROUTES,
    groupOf: ({ pattern }) => pattern ?? '',
    resolve,
    insert: (tx, rows) =>
      tables.insertAll(
        tx,
        rows.flatMap((r) => r.route ?? []),
        rows.map((r) => r.entry),
      ),
    added: ({ entry: { lcr_carrier_set_entry_sid, voip_carrier_sid } }) => ({
      sid: lcr_carrier_set_entry_sid,
      subject: { voip_carrier_sid },
    }),
  }
}

/** The carriers of these names that calls of the table's owner can use. */
async function usableCarriers(
  db: Db,
  scope: Scope,
  table: Parameters<typeof ownerOf>[2],
  rows: Row<Cells>[],
) {
  const cells = rows.map((r) => r.row.carrier)
  const named = await namedBy(db, 'voip_carriers', cells)
  const sids = new Set(cells.flatMap(named).map((c) => c.sid))
  const owner = await ownerOf(db, scope, table)
  const usable = await carriers.usable(db, scope, owner, [...sids])
  return (cell: string): NamedRow[] => named(cell).filter((c) => usable.has(c.sid))
}
