import { prefetchLater } from '../lib/prefetch-later'
import { prefetchPopups } from '../ui/late-popups'

/** Milliseconds for the screen's own code and data, which come first. */
const START = 3_000
const MAX_WAIT = 2_000

/** Loads what people are likely to need next, once the browser is idle. */
export function prefetchWhenIdle() {
  const timer = setTimeout(() => {
    // Safari has no idle callbacks
    if (!('requestIdleCallback' in window)) return prefetch()
    requestIdleCallback(prefetch, { timeout: MAX_WAIT })
  }, START)
  return () => clearTimeout(timer)
}

function prefetch() {
  prefetchPopups()
  prefetchLater()
}
