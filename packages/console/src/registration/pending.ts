/**
 * A registration by e-mail whose address is not proved yet. Kept for this tab, so that a reload in the
 * middle loses nothing; two tabs may register two people.
 */
type Pending = { jwt: string; user_sid: string; email: string }

const KEY = 'registration'

export const keepPending = (pending: Pending) =>
  sessionStorage.setItem(KEY, JSON.stringify(pending))

export function pendingRegistration(): Pending | undefined {
  const stored = sessionStorage.getItem(KEY)
  return stored ? (JSON.parse(stored) as Pending) : undefined
}

export const dropPending = () => sessionStorage.removeItem(KEY)
