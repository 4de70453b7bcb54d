import { useCallback, useRef, useState } from 'react'
import { Unreadable } from './chosen-files'

type State<R> = { isPending?: true; data?: R; error?: string }

async function reasonOf(error: unknown) {
  if (error instanceof Unreadable) return error.message
  const engine = await import('./engine')
  return engine.reasonOf(error)
}

/** Runs something that changes nothing on the server. What was found before stays until there is something new. */
export function useWork<A extends unknown[], R>(work: (...args: A) => Promise<R>) {
  const [state, setState] = useState<State<R>>({})
  const last = useRef(0)
  const reset = useCallback(() => {
    last.current += 1
    setState({})
  }, [])
  async function run(...args: A) {
    last.current += 1
    const own = last.current
    const set = (next: State<R>) =>
      own === last.current && setState(({ data }) => ({ ...(data && { data }), ...next }))
    set({ isPending: true })
    try {
      set({ data: await work(...args) })
    } catch (error) {
      set({ error: await reasonOf(error).catch(() => String(error)) })
    }
  }
  return { ...state, run, reset }
}
