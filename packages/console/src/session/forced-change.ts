import { claims } from '../lib/session'
import { storedIn } from '../lib/stored'

/** What the forced change of a password needs from the log-in before it. */
type Pending = { user_sid: string; old_password: string }

/**
 * Session storage, so that a reload or the Back button does not lose it: this tab's alone. It goes with
 * the change, the session, or a quarter of an hour, whichever is first.
 */
const kept = storedIn<Pending & { until: number }>(() => sessionStorage, 'SESS_FORCED_CHANGE')
const LASTS = 15 * 60_000

export const expectChange = (next: Pending) => kept.keep({ ...next, until: Date.now() + LASTS })
export const changeDone = kept.drop

/** Undefined, and forgotten, when it is too old or another user's than the one logged in. */
export function pendingChange(): Pending | undefined {
  const stored = kept.read()
  if (!stored) return undefined
  const { until, ...pending } = stored
  if (until > Date.now() && claims()?.user_sid === pending.user_sid) return pending
  changeDone()
  return undefined
}
