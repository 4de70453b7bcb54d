/** Whose value stands where two people changed the same thing. */
export type Side = 'mine' | 'theirs'

export type Difference = {
  /** `registration_hook.url`; a list is one value. */
  path: string
  mine: unknown
  theirs: unknown
  /** What stands while nobody chooses: one's own, unless only the other side has changed it. */
  side: Side
}

type Plain = Record<string, unknown>
const isPlain = (v: unknown): v is Plain => typeof v === 'object' && v !== null && !Array.isArray(v)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Where two versions that came from `base` differ, leaf by leaf. What only I changed is no question. */
export function differences(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path = '',
): Difference[] {
  if (same(mine, theirs)) return []
  if (isPlain(mine) && isPlain(theirs)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)])
    return [...keys].flatMap((key) =>
      differences(
        isPlain(base) ? base[key] : undefined,
        mine[key],
        theirs[key],
        path ? `${path}.${key}` : key,
      ),
    )
  }
  if (same(base, theirs)) return []
  return [{ path, mine, theirs, side: same(base, mine) ? 'theirs' : 'mine' }]
}

const put = (into: Plain, [key, ...rest]: string[], value: unknown): Plain => ({
  ...into,
  [key!]:
    rest.length === 0 ? value : put(isPlain(into[key!]) ? (into[key!] as Plain) : {}, rest, value),
})

/** One's own version with the other's values where they were chosen. */
export const merged = <T extends object>(mine: T, chosen: readonly Difference[]): T =>
  chosen
    .filter((d) => d.side === 'theirs')
    .reduce<Plain>((values, d) => put(values, d.path.split('.'), d.theirs), mine as Plain) as T
