import type { Issue } from '@switchroom/contract'

const MAX_DEPTH = 32

/**
 * What no database and no JSON reader agrees on: NUL, halves of surrogate pairs, and nesting without end.
 * Found before any schema sees the input, so no handler has to think of them.
 */
export function textIssues(value: unknown, path: (string | number)[] = []): Issue[] {
  if (typeof value === 'string')
    return value.isWellFormed() && !value.includes('\0')
      ? []
      : [{ path, message: 'This text has characters that cannot be stored' }]
  if (typeof value !== 'object' || value === null) return []
  if (path.length >= MAX_DEPTH) return [{ path, message: 'Nested too deep' }]
  return Object.entries(value).flatMap(([key, v]) => [
    ...(path.length > 0 || key.isWellFormed() ? [] : [{ path, message: 'Bad member name' }]),
    ...textIssues(v, [...path, key]),
  ])
}
