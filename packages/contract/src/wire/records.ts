/** An object with members, as JSON has them; an array is none. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object; anything else has none. */
export const membersOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export const isKeyOf = <T extends object>(of: T, key: PropertyKey): key is keyof T =>
  Object.hasOwn(of, key)

export const isOneOf = <const T>(all: readonly T[], value: unknown): value is T =>
  all.some((one) => one === value)

// For objects that have just the keys of their type, which tables in this code have: TypeScript must allow for
// more keys than a type names.

export const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[]

export const entriesOf = <T extends object>(of: T) =>
  Object.entries(of) as { [K in keyof T & string]: [K, T[K]] }[keyof T & string][]
