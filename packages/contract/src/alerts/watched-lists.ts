/** The lists whose saved views can have an alert, and what their rows are called: those with times, counted at bounded cost. */
export const WATCHED_LISTS = {
  recent_calls: 'calls',
  alerts: 'alerts',
} as const
export type WatchedList = keyof typeof WATCHED_LISTS
