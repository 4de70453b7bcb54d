/** A value of a call's page that changes often, so that only what shows it renders again. */
export function oneValue<T>() {
  let value: T | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: T | undefined) {
      if (next === value) return
      value = next
      for (const tell of listeners) tell()
    },
    subscribe(tell: () => void) {
      listeners.add(tell)
      return () => {
        listeners.delete(tell)
      }
    },
  }
}
