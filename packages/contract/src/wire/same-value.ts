import { isRecord } from './records.ts'

/** A value as JSON, with the keys of objects in one order. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Whether two values are the same as JSON, in whatever order their keys are. */
export const isSameValue = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
