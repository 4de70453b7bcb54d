import { useEffect, useState } from 'react'

/** What is being typed, once it has stayed the same for a while. `keyOf`: of a value that is made anew each time. */
export function useSettled<T>(value: T, ms: number, keyOf: (value: T) => unknown = (v) => v): T {
  const [settled, setSettled] = useState(value)
  const key = keyOf(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether the value is another
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return settled
}
