const VISIT_MS = 10_000

let began = Number.NEGATIVE_INFINITY

/** The time of a visit to a screen of figures: the same for what is asked before its scripts run and for the screen. */
export function visitTime() {
  const now = Date.now()
  if (now - began > VISIT_MS) began = now
  return began
}
