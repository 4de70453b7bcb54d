import { type Issue, t } from '@switchroom/contract'

const MAX_DEPTH = 32

/**
 * Issues for text that databases and JSON parsers disagree on: NUL, lone surrogates and unlimited nesting.
 * Checked before any schema, so handlers can ignore them.
 */
export function textIssues(value: unknown, path: (string | number)[] = []): Issue[] {
  if (typeof value === 'string')
    return value.isWellFormed() && !value.includes('\0')
      ? []
      : [{ path, message: t('This text contains characters that cannot be stored') }]
  if (typeof value !== 'object' || value === null) return []
  if (path.length >= MAX_DEPTH) return [{ path, message: t('Too deeply nested') }]
  return Object.entries(value).flatMap(([key, v]) => [
    ...(path.length > 0 || key.isWellFormed() ? [] : [{ path, message: t('Invalid field name') }]),
    ...textIssues(v, [...path, key]),
  ])
}
