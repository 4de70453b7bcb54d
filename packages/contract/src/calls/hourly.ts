/** Longest span in milliseconds that is grouped by hour. Longer spans are grouped by day. */
export const HOURLY_MAX_MS = 3 * 86_400_000
