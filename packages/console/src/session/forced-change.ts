import { claims } from '../lib/session'
import { storageEntry } from '../lib/storage-entry'

/** Data from the log-in that a forced password change needs. */
type Pending = { user_sid: string; old_password: string }

/**
 * In session storage, so that it survives a reload or the Back button, in this tab only. Dropped after the
 * change, with the session, or after 15 minutes.
 */
const pendingEntry = storageEntry<Pending & { until: number }>(
  () => sessionStorage,
  'SESS_FORCED_CHANGE',
)
const LIFETIME_MS = 15 * 60_000

export const savePendingChange = (next: Pending) =>
  pendingEntry.set({ ...next, until: Date.now() + LIFETIME_MS })
export const clearPendingChange = pendingEntry.remove

/** Dropped, and undefined, if it is too old or belongs to another user. */
export function readPendingChange(): Pending | undefined {
  const stored = pendingEntry.read()
  if (!stored) return undefined
  const { until, ...pending } = stored
  if (until > Date.now() && claims()?.user_sid === pending.user_sid) return pending
  clearPendingChange()
  return undefined
}
