import { defined, oneOf, type Raw, text } from '../lib/list-search'

export type SideName = 'a' | 'b'
export const SIDES = ['a', 'b'] as const

/** What calls A and B are addressed by. Where one is missing, it is the call before the other. */
export type Sides = { [side in SideName]?: string | undefined }

export type Search = Sides & { only?: 'differences' }

export const searchOf = (raw: Raw): Search =>
  defined({ a: text(raw.a), b: text(raw.b), only: oneOf(['differences'], raw.only) })

export const compareHref = (sides: Sides) =>
  `/internal/recent-calls/compare?${new URLSearchParams(defined(sides) as Record<string, string>)}`
