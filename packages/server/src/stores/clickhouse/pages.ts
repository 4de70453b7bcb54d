import type { Page, Span } from '../calls/store.ts'
import { DAY, HOUR, type Unit } from './hours.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MS = 1_000_000n
/** In longer spans, pages are found by day. */
const MOST_HOURS_NS = 100n * 86_400_000n * MS
/** Larger days are exported hour by hour. */
const LARGE_DAY = 50_000

/** Calls that began at `at`, in seconds since 1970, or within a `Unit` after it. */
export type Count = { at: number; calls: number }

/** A span of time in nanoseconds since 1970. */
type Nanoseconds = { from: bigint; to: bigint }

export const larger = (a: bigint, b: bigint) => (a > b ? a : b)
export const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
export const msAt = (ns: bigint) => Number(ns / MS)

/** The part of what is wanted that is in a span. */
export const within = <W extends Nanoseconds>(want: W, { from, to }: Span): W => ({
  ...want,
  from: larger(want.from, BigInt(from) * MS),
  to: smaller(want.to, BigInt(to) * MS),
})

/** By what calls are counted to find a page of them. */
export const pagingUnit = ({ from, to }: Nanoseconds): Unit =>
  to - from <= MOST_HOURS_NS ? HOUR : DAY

/** The span that a page is in, and how many calls of it come before the page. Undefined if it is empty. */
export function placeOf(
  counts: readonly Count[],
  unit: Unit,
  { limit, offset }: Page,
): (Span & { skip: number }) | undefined {
  if (limit === 0) return undefined
  let before = 0
  let place: (Span & { skip: number }) | undefined
  for (const { at, calls } of counts) {
    const from = at * 1_000
    if (before + calls > offset) place ??= { from, to: from + unit * 1_000, skip: offset - before }
    if (place) place.from = from
    before += calls
    if (before >= offset + limit) break
  }
  return place
}

/** A day, or its hours if it is large, newest first. In milliseconds. */
export function* partsOf({ at, calls }: Count): Generator<Span> {
  const [begin, length] = [at * 1_000, calls > LARGE_DAY ? HOUR_MS : DAY_MS]
  for (let to = begin + DAY_MS; to > begin; to -= length) yield { from: to - length, to }
}
