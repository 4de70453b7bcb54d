import { type ReactNode, useEffect, useState } from 'react'

const PAUSE = 400

type ValuesStore<V> = {
  state: { values: V }
  subscribe: (listen: (state: { values: V }) => void) => { unsubscribe: () => void }
}

/** Renders with a form's values once typing pauses: for what takes longer than a key may. */
export function Settled<V>({
  store,
  children,
}: {
  store: ValuesStore<V>
  children: (values: V) => ReactNode
}) {
  const [values, setValues] = useState(store.state.values)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { unsubscribe } = store.subscribe((state) => {
      clearTimeout(timer)
      timer = setTimeout(() => setValues(state.values), PAUSE)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [store])
  return children(values)
}
