/** Caches a read for `max_age_ms`. Concurrent callers share one read. */
export function memoFor<T>(
  read: () => Promise<T>,
  max_age_ms: number,
  now = () => performance.now(),
) {
  let last: { at: number; value: Promise<T> } | undefined
  return (): Promise<T> => {
    if (last && now() - last.at < max_age_ms) return last.value
    const begun = { at: now(), value: read() }
    last = begun
    begun.value.then(
      // the age counts from completion, so that a slow read does not start twice
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
