import type { Counted, Remembered } from './listing-known.ts'
import { FAR, FRESH_MS, MAX_SLOW_AGE_MS } from './listing-memory.ts'

/** `count` rows in list order, `skip` rows after (or before) a key, or from the start (or end). */
export type Span<Key> = { count: number; skip: number; backwards: boolean; from?: Key | undefined }
/** A span, and how old the key is that it begins at. */
export type Way<Key> = { span: Span<Key>; asOf: number }

/** The shortest way to a page. A way from a key, or from the end, is as outdated as the key or the total. */
export function wayTo<Key>(
  {
    counted: { total },
    pages,
    added,
  }: {
    counted: Pick<Counted, 'total'>
    pages: Map<number, Remembered<Key[]> & { seen: number }>
    added: string[]
  },
  start: number,
  size: number,
): Way<Key> {
  const now = performance.now()
  const fromStart = { span: { count: size, skip: start, backwards: false }, asOf: now }
  if (start === 0 || !total?.got) return fromStart
  const count = Math.min(size, total.got.value - start)
  const fromEnd = {
    span: { count, skip: total.got.value - start - count, backwards: true },
    asOf: total.asOf,
  }
  const [fresh, older]: [Way<Key>[], Way<Key>[]] = [[fromStart, fromEnd], []]
  for (const [at, { got, asOf, seen }] of pages) {
    const keys = got?.value
    if (seen < added.length) continue
    if (!keys || keys.length === 0 || asOf < now - MAX_SLOW_AGE_MS / 2) continue
    const ways = asOf < now - FRESH_MS ? older : fresh
    const end = at + keys.length
    if (end <= start)
      ways.push({ span: { count, skip: start - end, backwards: false, from: keys.at(-1) }, asOf })
    else if (at >= start + count)
      ways.push({
        span: { count, skip: at - start - count, backwards: true, from: keys[0] },
        asOf,
      })
  }
  const shortest = (ways: Way<Key>[]) =>
    ways.reduce((best, way) => (way.span.skip < best.span.skip ? way : best))
  const best = shortest(fresh)
  return best.span.skip > FAR ? shortest([best, ...older]) : best
}
