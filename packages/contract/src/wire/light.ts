import type { Endpoint, Group } from './endpoint.ts'
import { isOneOf } from './records.ts'

/**
 * The endpoints of an API with these members only, and what `more` makes of each: plain data, without schemas. What is
 * undefined is left out as JSON.
 */
export const lightApi = (
  api: Record<string, Group>,
  members: readonly (keyof Endpoint)[],
  more: (e: Endpoint) => object,
) =>
  mapValues(api, (group) =>
    mapValues(group, (e) => ({
      ...Object.fromEntries(Object.entries(e).filter(([name]) => isOneOf(members, name))),
      ...more(e),
    })),
  )

const mapValues = <V, W>(of: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]))
