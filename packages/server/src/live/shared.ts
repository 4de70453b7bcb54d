/** Reads at most once in `max_age_ms`, however many ask; those who ask meanwhile get the same answer. */
export function shared<T>(read: () => Promise<T>, max_age_ms: number, now = Date.now) {
  let last: { at: number; value: Promise<T> } | undefined
  return (): Promise<T> => {
    if (last && now() - last.at < max_age_ms) return last.value
    const begun = { at: now(), value: read() }
    last = begun
    begun.value.then(
      // its age counts from when it was there, so that a slow read is not begun twice
      () => {
        begun.at = now()
      },
      () => {
        if (last === begun) last = undefined
      },
    )
    return begun.value
  }
}
