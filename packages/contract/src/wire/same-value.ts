import { isRecord } from './records.ts'

/** A value as JSON, with the keys of objects in one order. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** True if two values are the same JSON, in any order of keys. */
export const isSameValue = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
