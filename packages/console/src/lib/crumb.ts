import { useLayoutEffect, useSyncExternalStore } from 'react'

let current: string | undefined
const listeners = new Set<() => void>()

function set(text: string | undefined) {
  current = text
  for (const tell of listeners) tell()
}

/** Names the thing on screen in the breadcrumb, in place of its kind, once its name is known. */
export function useCrumb(text: string | undefined) {
  useLayoutEffect(() => {
    set(text)
    return () => set(undefined)
  }, [text])
}

export const useCrumbText = () =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => current,
  )
