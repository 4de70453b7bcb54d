import { isSameValue, MASK_CHANGED } from '@switchroom/contract'
import { normalize } from '../secrets/without-secrets.ts'

type Values = Record<string, unknown>

/** The fields that differ, with secrets masked. A changed secret shows only that it changed. */
export function difference(before: Values, after: Values): { before: Values; after: Values } {
  const was: Values = {}
  const is: Values = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSameValue(before[key], after[key])) continue
    was[key] = normalize(before[key] ?? null, key)
    is[key] = normalize(after[key] ?? null, key)
    // nothing but a secret inside it has changed
    if (isSameValue(was[key], is[key])) is[key] = MASK_CHANGED
  }
  return { before: was, after: is }
}
