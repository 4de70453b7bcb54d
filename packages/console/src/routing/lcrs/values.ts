import {
  CHANGED_BY_SPREADSHEET,
  isChangedBySpreadsheet,
  type LcrRoute,
  type LcrView,
} from '@switchroom/contract'
import { ownAccount } from '../../lib/access'
import { newKey, unset } from '../../lib/unset'

const blankEntry = () => ({
  key: newKey(),
  lcr_carrier_set_entry_sid: unset<string>(),
  voip_carrier_sid: '',
  workload: unset<number>(),
})

/** Form values of a route; `key` identifies rows that have no sid yet. */
const blankRoute = () => ({
  key: newKey(),
  lcr_route_sid: unset<string>(),
  regex: '',
  description: '',
  lcr_carrier_set_entries: [blankEntry()],
})
export type RouteValues = ReturnType<typeof blankRoute>

export const blank = { entry: blankEntry, route: blankRoute }

const routeValues = (r: LcrRoute): RouteValues => ({
  key: r.lcr_route_sid,
  lcr_route_sid: r.lcr_route_sid,
  regex: r.regex,
  description: r.description ?? '',
  lcr_carrier_set_entries: r.lcr_carrier_set_entries.map((e) => ({
    key: e.lcr_carrier_set_entry_sid,
    lcr_carrier_set_entry_sid: e.lcr_carrier_set_entry_sid,
    voip_carrier_sid: e.voip_carrier_sid,
    workload: e.workload,
  })),
})

export const valuesOf = (t?: LcrView) => ({
  name: t?.name ?? '',
  is_active: t ? t.is_active === 1 : true,
  account_sid: t ? (t.account_sid ?? '') : (ownAccount() ?? ''),
  default_carrier: t?.default_carrier ?? '',
  routes: t ? t.routes.map(routeValues) : [blankRoute()],
})
export type LcrValues = ReturnType<typeof valuesOf>

/** Routes, and carriers of a route, are tried in the order on screen. */
export const toBody = ({ name, is_active, default_carrier, routes }: LcrValues) => ({
  name,
  is_active,
  default_carrier,
  routes: routes.map(({ key: _, lcr_carrier_set_entries, ...route }, priority) => ({
    ...route,
    priority,
    lcr_carrier_set_entries: lcr_carrier_set_entries.map(({ key: _, ...entry }, place) => ({
      ...entry,
      priority: place,
    })),
  })),
})

/** New patterns that a spreadsheet has made of digits. Stored ones stay: the platform takes them. */
export const patternIssues = ({ routes }: LcrValues, stored: LcrRoute[] = []) =>
  routes.flatMap(({ regex }, i) =>
    isChangedBySpreadsheet(regex.trim()) && stored.every((r) => r.regex !== regex)
      ? [{ path: ['routes', i, 'regex'], message: CHANGED_BY_SPREADSHEET }]
      : [],
  )
