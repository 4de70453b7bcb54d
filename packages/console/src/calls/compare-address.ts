import { defined, oneOf, type Raw, text } from '../lib/list-search'

export type SideName = 'a' | 'b'
export const SIDES = ['a', 'b'] as const

/** The calls compared, by the ids in the URL. A missing side is the call before the other one. */
export type Sides = { [side in SideName]?: string | undefined }

export type Search = Sides & { only?: 'differences' }

export const searchOf = (raw: Raw): Search =>
  defined({ a: text(raw.a), b: text(raw.b), only: oneOf(['differences'], raw.only) })

export const compareHref = (sides: Sides) =>
  `/internal/recent-calls/compare?${new URLSearchParams(defined(sides) as Record<string, string>)}`
