import { useEffect, useState } from 'react'

/** Debounces a value. `keyOf` compares values that are created on every render. */
export function useDebounced<T>(value: T, ms: number, keyOf: (value: T) => unknown = (v) => v): T {
  const [settled, setSettled] = useState(value)
  const key = keyOf(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the value is another
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return settled
}
