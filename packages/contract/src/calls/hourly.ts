/** In milliseconds. Longer spans are grouped by day. */
export const HOURLY_MAX_MS = 3 * 86_400_000
