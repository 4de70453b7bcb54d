import { queryClient } from './api'

const QUIET_MS = 1_000

/** Asks the server for what it keeps for the person who is logged in. Until it answers, this browser's copy does. */
export const syncPerson = () =>
  Promise.allSettled([
    import('./preferences').then(({ syncPreferences }) => syncPreferences()),
    import('./own-brand').then(({ syncBrand }) => syncBrand()),
  ])

/** The same once the screen has all it asked for: no first row waits for it. */
export function syncPersonWhenQuiet() {
  let wasQuiet = false
  const timer = setInterval(() => {
    const isQuiet = queryClient.isFetching() === 0
    if (isQuiet && wasQuiet) {
      clearInterval(timer)
      void syncPerson()
    }
    wasQuiet = isQuiet
  }, QUIET_MS)
  return () => clearInterval(timer)
}
