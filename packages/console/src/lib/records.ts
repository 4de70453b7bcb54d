/** `Object.keys`, typed. */
export const keysOf = <K extends string>(record: { readonly [name in K]?: unknown }): K[] =>
  // a value may have more members than its type: use this for literals and for what a schema has parsed
  Object.keys(record) as K[]

/** A record with one entry for each key. */
export const recordOf = <K extends string, V>(keys: readonly K[], value: (key: K) => V) =>
  // has exactly these keys
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>

/** True if a value is an object in the sense of JSON. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
