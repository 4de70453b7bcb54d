type Listener = () => void
const listeners = new Set<Listener>()
let version = 0

/** Grows with every change. */
export const preferencesVersion = () => version

/** Called when screens have shown other preferences than there are now: those of another browser or tab, most of all. */
export function onPreferencesChanged(listener: Listener) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function tellPreferencesChanged() {
  version += 1
  for (const listener of listeners) listener()
}
