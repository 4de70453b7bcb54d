/** The keys of a record whose keys are all known: TypeScript knows `Object.keys` only as text. */
export const keysOf = <K extends string>(record: { readonly [name in K]?: unknown }): K[] =>
  // a value may have more members than its type, so this is for literals and for what a schema has read
  Object.keys(record) as K[]

/** One entry for each key. */
export const recordOf = <K extends string, V>(keys: readonly K[], value: (key: K) => V) =>
  // every key is given, and nothing else
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>

/** Whether a value has members that can be read by name: what JSON calls an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
