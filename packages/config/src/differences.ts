import { isRecord } from '@switchroom/contract'
import type { Rows } from './kinds.ts'
import { type Members, mapped } from './shapes.ts'

/** A member that differs, by its path. */
export type Difference = { path: string[]; from: unknown; to: unknown }

const isNone = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Lists the differences of two values. Objects are compared member by member; an unset member equals null. */
export function differences(from: unknown, to: unknown, path: string[] = []): Difference[] {
  if (isRecord(from) && isRecord(to))
    return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
      differences(from[name], to[name], [...path, name]),
    )
  const isSame = (isNone(from) && isNone(to)) || textOf(from) === textOf(to)
  return isSame ? [] : [{ path, from, to }]
}

const textOf = (value: unknown) => JSON.stringify(ordered(value))
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  const pairs = Object.entries(value).filter(([, of]) => !isNone(of))
  return mapped(Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1))), ordered)
}

/** Rows by their key, with defaults filled in; those with the same key by their order. */
export function byName(value: unknown, rows: Rows | undefined): unknown {
  if (!rows || !Array.isArray(value)) return value
  const counts = new Map<string, number>()
  const named = (value as Members[]).map((row, i) => {
    const name = String(row[rows.rowKey])
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const whole = { ...rows.defaults?.(i, row), ...row }
    return [
      count === 1 ? name : `${name} #${count}`,
      mapped(whole, (of, member) => byName(of, rows.lists?.[member])),
    ] as const
  })
  return Object.fromEntries(named)
}
