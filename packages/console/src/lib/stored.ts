/** A typed value in the browser's storage, under a key of its own. */
export const storedIn = <T>(storage: () => Storage, key: string) => ({
  read: (): T | undefined => {
    const text = storage().getItem(key)
    // only `keep` writes this key, and it takes a T
    return text === null ? undefined : (JSON.parse(text) as T)
  },
  keep: (value: T) => storage().setItem(key, JSON.stringify(value)),
  drop: () => storage().removeItem(key),
  isKept: () => storage().getItem(key) !== null,
})
