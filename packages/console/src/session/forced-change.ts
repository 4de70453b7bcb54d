/**
 * What the forced change of a password needs from the log-in before it. In memory only: whoever reloads
 * the page logs in again, and no password is ever written down.
 */
type Pending = { user_sid: string; old_password: string }
let pending: Pending | undefined

export const expectChange = (next: Pending) => {
  pending = next
}
export const pendingChange = () => pending
export const changeDone = () => {
  pending = undefined
}
