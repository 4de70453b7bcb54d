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

/** The CSV import of routes into a table, after those that it has. */
export function routeImport(scope: Scope, lcr_sid: string): ImportSpec<Cells, Ready> {
  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const table = await tables.view(tx, scope, lcr_sid)
    if (!table) throw new Failure('not_found', t('No such routing table'))
    const carrierNamed = await usableCarriers(tx, scope, table, rows)
    const existing = new Set(table.routes.map((r) => r.regex))
    const room = MAX_ROUTES - existing.size
    let last = Math.max(-1, ...table.routes.map((r) => r.priority))
    type Begun = { line: number; row: Cells; route: Route; carriers: Map<string, number> }
    const begun = new Map<string, Begun>()

    function newRoute({ pattern: regex, description = null, priority }: Cells): Route | Bad {
      if (existing.has(regex)) return { column: 'pattern', message: ROUTE_TAKEN }
      if (begun.size >= room)
        return {
          column: 'pattern',
          message: t('At most {MAX_ROUTES} routes in a table', { MAX_ROUTES }),
        }
      const at = priority ?? last + 1
      if (at > LAST_PRIORITY)
        return {
          column: 'priority',
          message: t('Priority can be at most {LAST_PRIORITY}', { LAST_PRIORITY }),
        }
      last = Math.max(last, at)
      return { lcr_route_sid: randomUUID(), lcr_sid, regex, description, priority: at }
    }

    /** The route that a row begins, or adds a carrier to. */
    function routeOf(line: number, row: Cells): Begun | Bad {
      const known = begun.get(row.pattern)
      if (!known) {
        const route = newRoute(row)
        if (isBad(route)) return route
        const one = { line, row, route, carriers: new Map<string, number>() }
        begun.set(row.pattern, one)
        return one
      }
      // an empty cell repeats the one above
      for (const column of ['description', 'priority'] as const)
        if ((row[column] ?? null) !== null && row[column] !== known.row[column])
          return {
            column,
            message: t('Differs from line {line} of the same route', { line: known.line }),
          }
      return known
    }

    return rows.map(({ line, row }) => {
      const carrier = exactlyOne(carrierNamed(row.carrier), 'carrier')
      if (isBad(carrier)) return carrier
      const of = routeOf(line, row)
      if (isBad(of)) return of
      const before = of.carriers.get(carrier.sid)
      if (before)
        return {
          column: 'carrier',
          message: t('Duplicate of the carrier in line {before}', { before }),
        }
      if (of.carriers.size >= MAX_ENTRIES)
        return { column: 'carrier', message: t('At most {MAX_ENTRIES} carriers', { MAX_ENTRIES }) }
      const entry = {
        lcr_carrier_set_entry_sid: randomUUID(),
        lcr_route_sid: of.route.lcr_route_sid,
        voip_carrier_sid: carrier.sid,
        workload: row.workload ?? 1,
        priority: of.carriers.size,
      }
      of.carriers.set(carrier.sid, line)
      return { ready: { entry, ...(of.line === line && { route: of.route }) } }
    })
  }

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
