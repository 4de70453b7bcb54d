import { capabilities } from './capabilities'
import { claims, leaveForSecondFactor, mustSetUpSecondFactor } from './session'
import { renew } from './session-calls'

const CHECK_INTERVAL_MS = 30_000

/**
 * Renews the token once half of its lifetime is over, while the user is active. Where the server cannot
 * renew it, the session lasts as long as the token.
 */
export function keepAlive() {
  let active = true
  const note = () => {
    active = true
  }
  const timer = setInterval(async () => {
    const user = claims()
    if (!active || !user?.exp || !user.iat) return
    const half = (user.iat + user.exp) / 2
    if (Date.now() < half * 1000 || !(await capabilities())) return
    active = false
    // ignored: the next activity tries again
    await renew().catch(() => undefined)
    if (mustSetUpSecondFactor()) leaveForSecondFactor()
  }, CHECK_INTERVAL_MS)
  addEventListener('pointerdown', note, { passive: true })
  addEventListener('keydown', note, { passive: true })
  return () => {
    clearInterval(timer)
    removeEventListener('pointerdown', note)
    removeEventListener('keydown', note)
  }
}
