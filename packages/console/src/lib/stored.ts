/** A value of the browser's storage, under a key that nothing else writes. */
export const storedIn = <T>(storage: () => Storage, key: string) => ({
  read: (): T | undefined => {
    const text = storage().getItem(key)
    // written by `keep` alone, which takes nothing but a T
    return text === null ? undefined : (JSON.parse(text) as T)
  },
  keep: (value: T) => storage().setItem(key, JSON.stringify(value)),
  drop: () => storage().removeItem(key),
  isKept: () => storage().getItem(key) !== null,
})
