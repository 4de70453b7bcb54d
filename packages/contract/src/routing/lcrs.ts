import { z } from 'zod'
import {
  Flag,
  FlagIn,
  listQuery,
  NoContent,
  pageOf,
  resource,
  Sid,
  SidOrNull,
  sidOrNull,
  TextOrNull,
  UNKNOWN_ACCOUNT,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { fileOptions } from '../wire/file-columns.ts'
import { importEndpoint, importQuery } from '../wire/import.ts'
import { t } from '../wire/text.ts'
import { LcrRoute, LcrRouteBatch, LcrRoutesIn, SYSTEM_DEFAULT_ROUTE } from './lcr-routes.ts'

/** An outbound routing table, which chooses a carrier by the dialed number. */
export const Lcr = z.object({
  lcr_sid: z.string(),
  name: StringOrNull,
  is_active: Flag,
  default_carrier_set_entry_sid: StringOrNull,
  /** Set on a table that all accounts of a provider use; null on an account's own. */
  service_provider_sid: StringOrNull,
  account_sid: StringOrNull,
  /** Includes the default route. */
  number_routes: Integer,
})
export type Lcr = z.infer<typeof Lcr>

/** With the owner's name, so that lists need no extra requests. */
export const LcrItem = Lcr.extend({
  account_name: StringOrNull,
  service_provider_name: StringOrNull,
})
export type LcrItem = z.infer<typeof LcrItem>

/** With the routes and, apart from them, the default route's carrier, so that one request shows all. */
export const LcrView = Lcr.extend({
  routes: z.array(LcrRoute),
  default_carrier: StringOrNull,
  ...versioned,
})
export type LcrView = z.infer<typeof LcrView>

/** The default route. If several routes qualify, the one that holds the default entry. */
export function defaultRouteOf(routes: LcrRoute[], default_entry: string | null) {
  const candidates = routes.filter((r) => r.priority === SYSTEM_DEFAULT_ROUTE.priority)
  const holds = (r: LcrRoute) =>
    r.lcr_carrier_set_entries.some((e) => e.lcr_carrier_set_entry_sid === default_entry)
  return candidates.find(holds) ?? candidates[0]
}

export const DEFAULT_CARRIER_REQUIRED = t('A default carrier is required.')

const shape = {
  name: TextOrNull(64).optional(),
  is_active: FlagIn.optional(),
  account_sid: sidOrNull(UNKNOWN_ACCOUNT).optional(),
  service_provider_sid: sidOrNull(t('unknown service_provider_sid')).optional(),
  default_carrier_set_entry_sid: SidOrNull.optional(),
  /** Switchroom only: all routes but the default one, saved in the same transaction. Omitted ones are deleted. */
  routes: LcrRoutesIn.optional(),
  /** Switchroom only: the carrier of the default route. */
  default_carrier: SidOrNull.optional(),
}

/** A table sent with its routes must be complete. Older clients save it in steps, without routes. */
export const LcrCreate = z.object(shape).superRefine(({ routes, default_carrier }, ctx) => {
  if (routes && !default_carrier)
    ctx.addIssue({ code: 'custom', path: ['default_carrier'], message: DEFAULT_CARRIER_REQUIRED })
})

/** Omitted fields keep their stored values. */
export const LcrUpdate = z.object(shape).superRefine(({ routes, default_carrier }, ctx) => {
  // a table without routes may be sent back as it was read
  if (default_carrier === null && routes?.length !== 0)
    ctx.addIssue({ code: 'custom', path: ['default_carrier'], message: DEFAULT_CARRIER_REQUIRED })
})

const { one, all } = resource('/Lcrs', { lcr_sid: Sid })
const routes = { ...one, path: '/Lcrs/:lcr_sid/Routes' } as const
const maxBody = 1_048_576
const batchRefusals = {
  lcr_carrier_set_entries: t('Lcr Route batch process require lcr_carrier_set_entries'),
  'lcr_carrier_set_entries.voip_carrier_sid': t(
    'One of lcr_carrier_set_entries is missing voip_carrier_sid',
  ),
}

export const lcrs = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List routing tables',
    query: listQuery('name').extend({
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: pageOf(LcrItem),
  },
  view: {
    ...one,
    ...views,
    summary: 'Get a routing table with its routes and their carriers',
    response: LcrView,
  },
  create: {
    ...all,
    ...adds,
    summary: 'Add a routing table with its routes',
    body: LcrCreate,
    maxBody,
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a routing table with its routes',
    body: LcrUpdate,
    maxBody,
  },
  remove: { ...one, ...removes, summary: 'Delete a routing table with its routes' },
  addRoutes: {
    ...routes,
    method: 'POST',
    summary: 'Add routes to a routing table; priority 9999 is the default route',
    body: LcrRouteBatch,
    refusals: batchRefusals,
    maxBody,
    status: 204,
    response: NoContent,
  },
  importRoutes: {
    ...routes,
    path: '/Lcrs/:lcr_sid/Routes/Import',
    summary: 'Add routes to a routing table from CSV, all or none',
    ...importEndpoint,
    takesCsv: maxBody,
    query: importQuery.pick({ dry_run: true, columns: true }),
  },
  exportRoutes: {
    ...routes,
    path: '/Lcrs/:lcr_sid/Routes/Export',
    method: 'GET',
    summary: 'Export the routes of a routing table as CSV, without the default route',
    own: true,
    file: 'routes.csv',
    query: z.object(fileOptions),
    response: z.string(),
  },
  saveRoutes: {
    ...routes,
    method: 'PUT',
    summary: 'Update or add routes of a routing table; omitted routes stay',
    body: LcrRouteBatch,
    refusals: batchRefusals,
    maxBody,
    status: 204,
    response: NoContent,
  },
})
