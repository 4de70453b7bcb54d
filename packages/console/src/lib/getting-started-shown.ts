import { requireClaims } from './session'
import { storageEntry } from './storage-entry'

/** Per person, in this browser. */
const putAway = () =>
  storageEntry<true>(() => localStorage, `getting-started-put-away:${requireClaims().user_sid}`)

/** True if the menu shows the list of first steps. It can always be reached from the user menu. */
export const isShown = () => !putAway().exists()
export const putListAway = () => putAway().set(true)
export const bringListBack = () => putAway().remove()
