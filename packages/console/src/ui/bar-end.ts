import { useSyncExternalStore } from 'react'

let end: HTMLElement | null = null
const listeners = new Set<() => void>()

/** The place at the end of the page's filter bar, for what the list below puts there. */
export function setBarEnd(element: HTMLElement | null) {
  end = element
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useBarEnd = () => useSyncExternalStore(subscribe, () => end)
