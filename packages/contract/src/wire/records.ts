/** True if a value is a JSON object, not an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, else an empty object. */
export const membersOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export const isKeyOf = <T extends object>(of: T, key: PropertyKey): key is keyof T =>
  Object.hasOwn(of, key)

export const isOneOf = <const T>(all: readonly T[], value: unknown): value is T =>
  all.some((one) => one === value)

// For objects with exactly the keys of their type, as tables in this code: TypeScript must assume
// that there may be more keys.

export const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[]

export const entriesOf = <T extends object>(of: T) =>
  Object.entries(of) as { [K in keyof T & string]: [K, T[K]] }[keyof T & string][]
