import { isRecord } from './records'

/** Whose value is kept where both have changed it. */
export type Side = 'mine' | 'theirs'

export type Difference = {
  /** `registration_hook.url`; a list is one value. */
  path: string
  mine: unknown
  theirs: unknown
  /** Preselected: mine, unless only the other side has changed it. */
  side: Side
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Differences between two versions of `base`, leaf by leaf, except leaves that only `mine` changed. */
export function differences(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path = '',
): Difference[] {
  if (isEqual(mine, theirs)) return []
  if (isRecord(mine) && isRecord(theirs)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)])
    return [...keys].flatMap((key) =>
      differences(
        isRecord(base) ? base[key] : undefined,
        mine[key],
        theirs[key],
        path ? `${path}.${key}` : key,
      ),
    )
  }
  if (isEqual(base, theirs)) return []
  return [{ path, mine, theirs, side: isEqual(base, mine) ? 'theirs' : 'mine' }]
}

function setIn(into: object, [key = '', ...rest]: string[], value: unknown): object {
  const values: Record<string, unknown> = { ...into }
  const inner = values[key]
  values[key] = rest.length === 0 ? value : setIn(isRecord(inner) ? inner : {}, rest, value)
  return values
}

/** My version with their values where those were chosen. */
export const mergeChosen = <T extends object>(mine: T, chosen: readonly Difference[]): T =>
  chosen
    .filter((d) => d.side === 'theirs')
    // paths and values both come from a T
    .reduce<object>((values, d) => setIn(values, d.path.split('.'), d.theirs), mine) as T
