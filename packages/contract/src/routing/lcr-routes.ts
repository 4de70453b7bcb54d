import { z } from 'zod'
import { Int, NoContent, resource, Sid, StoredSid, Text, TextOrNull } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { whenMissing } from '../wire/plain-messages.ts'
import { plural, t } from '../wire/text.ts'
import { LcrCarrierSetEntry, lcrEntryIn, Workload } from './lcr-carrier-set-entries.ts'
import { DEFAULT_ROUTE } from './routing.ts'
import { CHANGED_BY_SPREADSHEET, isChangedBySpreadsheet } from './typed-number.ts'

export const LcrRoute = z.object({
  lcr_route_sid: z.string(),
  lcr_sid: z.string(),
  regex: z.string(),
  description: StringOrNull,
  priority: z.number(),
  lcr_carrier_set_entries: z.array(LcrCarrierSetEntry),
})
export type LcrRoute = z.infer<typeof LcrRoute>

/** The priority by which platform clients recognize the default route. */
export const SYSTEM_DEFAULT_ROUTE = {
  ...DEFAULT_ROUTE,
  description: 'System Default Route',
} as const

export const ROUTE_NEEDS_BOTH = t('Each route needs a regex and a carrier.')
export const NOT_A_REGEX = t('Enter digits or a regular expression. Escape a plus sign as \\+')

function compiles(regex: string) {
  try {
    return !!new RegExp(regex)
  } catch {
    return false
  }
}

const shape = {
  regex: z
    .string(whenMissing(ROUTE_NEEDS_BOTH))
    .trim()
    .min(1, ROUTE_NEEDS_BOTH)
    .max(32)
    .refine(compiles, NOT_A_REGEX),
  description: TextOrNull(1024).optional(),
}
/** Lower priorities match first. */
const priority = Int(0, SYSTEM_DEFAULT_ROUTE.priority)

export const MAX_ENTRIES = 100
export const MAX_ROUTES = 1_000
const TOO_MANY_CARRIERS = plural(MAX_ENTRIES, 'At most 1 carrier|At most {n} carriers')
const TOO_MANY_ROUTES = plural(MAX_ROUTES, 'At most 1 route|At most {n} routes')

/** A route within its table. Without a sid it is a new one. */
export const LcrRouteIn = z.object({
  ...shape,
  lcr_route_sid: StoredSid,
  /** Defaults to the position in the list. */
  priority: Int(0, SYSTEM_DEFAULT_ROUTE.priority - 1).optional(),
  lcr_carrier_set_entries: z
    .array(lcrEntryIn(ROUTE_NEEDS_BOTH), ROUTE_NEEDS_BOTH)
    .min(1, ROUTE_NEEDS_BOTH)
    .max(MAX_ENTRIES, TOO_MANY_CARRIERS),
})
export type LcrRouteIn = z.infer<typeof LcrRouteIn>

export const LcrRoutesIn = z.array(LcrRouteIn).max(MAX_ROUTES, TOO_MANY_ROUTES)

/** The format of older clients, where the default route is one of the list. */
export const LcrRouteBatch = z
  .array(
    z.object({
      ...shape,
      lcr_route_sid: StoredSid,
      priority,
      lcr_carrier_set_entries: z
        .array(lcrEntryIn(ROUTE_NEEDS_BOTH), ROUTE_NEEDS_BOTH)
        .min(1, ROUTE_NEEDS_BOTH)
        .max(MAX_ENTRIES, TOO_MANY_CARRIERS),
    }),
  )
  .max(MAX_ROUTES, TOO_MANY_ROUTES)

/** A row of the CSV import and export of routes: a route with one of its carriers, by name or sid. */
export const RouteRow = z.object({
  pattern: shape.regex.refine((text) => !isChangedBySpreadsheet(text), CHANGED_BY_SPREADSHEET),
  description: shape.description,
  /** Defaults to a place after all routes before it. */
  priority: Int(0, SYSTEM_DEFAULT_ROUTE.priority - 1).optional(),
  carrier: Text(64, ROUTE_NEEDS_BOTH),
  workload: Workload.optional(),
})
export const ROUTE_TAKEN = t('The table has a route with this pattern. An import only adds routes')

export const LcrRouteCreate = z.object({
  ...shape,
  priority,
  lcr_sid: Sid,
})

/** Omitted fields keep their stored values. */
export const LcrRouteUpdate = z.object({
  ...shape,
  regex: shape.regex.optional(),
  priority: priority.optional(),
  lcr_sid: Sid.optional(),
})

const { one, all } = resource('/LcrRoutes', { lcr_route_sid: Sid })

export const lcrRoutes = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List routes of a routing table in order',
    query: z.object({ lcr_sid: Sid }),
    refusals: { lcr_sid: t('missing lcr_sid') },
    response: z.array(LcrRoute),
  },
  view: { ...one, method: 'GET', summary: 'Get an outbound route', response: LcrRoute },
  create: {
    ...all,
    ...adds,
    summary: 'Add a route to a routing table',
    body: LcrRouteCreate,
    refusals: { lcr_sid: t('missing parameter lcr_sid') },
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Update an outbound route',
    body: LcrRouteUpdate,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...removes, summary: 'Delete an outbound route' },
})
