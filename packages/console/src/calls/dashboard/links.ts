import type { Ends } from '../call-span'
import { isoEnds } from '../call-span'

/** The calls that a figure counts, as filters of the list. */
export type FigureFilter = {
  account_sid?: string | undefined
  answered?: 'true' | 'false'
  sip_status?: number
  trunk?: string
  application_sid?: string
  /** A number, as text within either end. */
  filter?: string
}

/** A link to exactly the calls that a figure counts. */
export function callsHref(ends: Ends, filter: FigureFilter): string {
  const params = Object.entries({ ...filter, ...isoEnds(ends) }).filter(([, v]) => v !== undefined)
  return `/internal/recent-calls?${new URLSearchParams(params.map(([k, v]) => [k, String(v)]))}`
}
