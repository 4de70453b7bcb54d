/** A typed value in the browser's storage, under a key of its own. */
export const storageEntry = <T>(storage: () => Storage, key: string) => ({
  read: (): T | undefined => {
    const text = storage().getItem(key)
    // only `set` writes this key, and it takes a T
    return text === null ? undefined : (JSON.parse(text) as T)
  },
  set: (value: T) => storage().setItem(key, JSON.stringify(value)),
  remove: () => storage().removeItem(key),
  exists: () => storage().getItem(key) !== null,
})
