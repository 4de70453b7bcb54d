import { useMemo, useSyncExternalStore } from 'react'
import type { SavedViews } from './saved-views'
import { claims } from './session'
import type { ListView } from './view-columns'

// kept in this browser, per person and list, also after a log-out: `clearSession` knows the prefix
const viewKey = (list: string) => `view:${claims()?.user_sid}:${list}`
const savedKey = (list: string) => `views:${claims()?.user_sid}:${list}`

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function write(key: string, value: object, isEmpty: boolean) {
  if (isEmpty) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(value))
  for (const listener of listeners) listener()
}

function useStored<T>(key: string, none: T): T {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  return useMemo(() => {
    if (!text) return none
    try {
      // only `write` writes these keys
      return JSON.parse(text) as T
    } catch {
      return none
    }
  }, [text, none])
}

const DEFAULT: ListView = {}
const NONE: SavedViews = { views: [] }

export const setListView = (list: string, view: ListView) =>
  write(viewKey(list), view, Object.keys(view).length === 0)
export const useListView = (list: string) => useStored(viewKey(list), DEFAULT)

export const setSavedViews = (list: string, saved: SavedViews) =>
  write(savedKey(list), saved, saved.views.length === 0)
/** The browser’s views, or its copy of the server’s. */
export function savedViewsOf(list: string): SavedViews {
  const text = localStorage.getItem(savedKey(list))
  try {
    return text ? (JSON.parse(text) as SavedViews) : NONE
  } catch {
    return NONE
  }
}
export const useSavedViews = (list: string) => useStored(savedKey(list), NONE)
