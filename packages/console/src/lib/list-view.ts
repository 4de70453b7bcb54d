import { useMemo, useSyncExternalStore } from 'react'
import { claims } from './session'
import type { ListView } from './view-columns'

/** Kept in this browser after a log-out, by `clearSession`. */
const keyOf = (list: string) => `view:${claims()?.user_sid}:${list}`

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function parse(text: string | null): ListView {
  if (!text) return {}
  try {
    // only `setListView` writes this key
    return JSON.parse(text) as ListView
  } catch {
    return {}
  }
}

export function setListView(list: string, view: ListView) {
  if (Object.keys(view).length > 0) localStorage.setItem(keyOf(list), JSON.stringify(view))
  else localStorage.removeItem(keyOf(list))
  for (const listener of listeners) listener()
}

export function useListView(list: string): ListView {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(list)))
  return useMemo(() => parse(text), [text])
}
